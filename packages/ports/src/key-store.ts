import type { AuditEntry } from './audit-store.ts';

/** What a key may do: everything of its project; read; or only have models answer. An `admin` key administers all projects too. */
export const keyRoles = ['full', 'read_only', 'inference_only', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** Limits of a key or a project; null for none. */
export interface AccessLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** IDs of the models that may be used. */
  readonly allowedModels: readonly string[] | null;
  /** Output tokens that a request may ask for. */
  readonly maxOutputTokens: number | null;
}

export const noAccessLimits: AccessLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  allowedModels: null,
  maxOutputTokens: null,
};

/** A key, without its secret: only a hash of that is stored. */
export interface KeyRecord extends AccessLimits {
  /** Names the key in logs, limits and usage. Unique. */
  readonly id: string;
  /** SHA-256 of the key, in hex. Unique. */
  readonly hash: string;
  readonly project: string;
  readonly role: KeyRole;
  /** For people. */
  readonly name: string;
  /** First characters of the key, to recognise it by. */
  readonly hint: string;
  /** Unix seconds, as all times here. */
  readonly created: number;
  /** The key is refused from then on; null for one that does not expire. */
  readonly expires: number | null;
  readonly revoked: number | null;
  /** When it was last used, as far as it was recorded. */
  readonly lastUsed: number | null;
}

/** A project and the limits that all its keys share. */
export interface ProjectRecord extends AccessLimits {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds; keys of an archived project are refused. */
  readonly archived: number | null;
  /** Bytes of files, stored completions and stored responses that the project may keep. */
  readonly storageLimitBytes: number | null;
}

/** Fields of a key that can change. Those that are undefined stay as they are. */
export type KeyChanges = Partial<Pick<KeyRecord, 'name' | 'role' | 'expires' | keyof AccessLimits>>;
export type ProjectChanges = Partial<Pick<ProjectRecord, 'name' | 'storageLimitBytes' | keyof AccessLimits>>;

/** The key that a hash belongs to, and its project, if that was ever stored. */
export interface FoundKey {
  readonly key: KeyRecord;
  readonly project: ProjectRecord | undefined;
  /** For the secret from before a rotation: when it stops being valid, in Unix seconds. */
  readonly validUntil?: number | undefined;
}

/** Keys and projects. Every change is durable when it resolves, and is committed together with its entry in the audit log. */
export interface KeyStore {
  /** Stores the key, and its project where that is new. Rejects when the id or the hash is taken. */
  add(key: KeyRecord, audit?: AuditEntry): Promise<void>;
  /** Also keys that are revoked or expired, and by the secret from before the last rotation: the caller decides whether they are valid. */
  findByHash(hash: string): Promise<FoundKey | undefined>;
  get(id: string): Promise<KeyRecord | undefined>;
  /** Of one project or of all, in the order they were added. */
  list(project?: string): Promise<readonly KeyRecord[]>;
  /** Returns the key as it is then; undefined when there is none. */
  update(id: string, changes: KeyChanges, audit?: AuditEntry): Promise<KeyRecord | undefined>;
  /**
   * Replaces the secret. The one it had is found until `previousValidUntil` (Unix seconds); the one before that no longer.
   * Returns the key as it is then; undefined when there is none.
   */
  rotate(
    id: string,
    init: {
      readonly hash: string;
      readonly hint: string;
      readonly previousValidUntil: number;
      /** Unix seconds: nothing changes if the previous secret is still valid then. Default: its validity ends. */
      readonly unlessPreviousValidAt?: number | undefined;
    },
    audit?: AuditEntry,
  ): Promise<KeyRecord | undefined>;
  /** Sets `revoked` where it is null. Returns the key as it is then; undefined when there is none. */
  revoke(id: string, at: number, audit?: AuditEntry): Promise<KeyRecord | undefined>;
  /** Records when keys were last used; keys that do not exist are ignored. */
  recordUse(uses: readonly { readonly id: string; readonly at: number }[]): Promise<void>;

  /** Resolves to false when the id is taken; then nothing changes. */
  addProject(project: ProjectRecord, audit?: AuditEntry): Promise<boolean>;
  getProject(id: string): Promise<ProjectRecord | undefined>;
  /** All of them, ordered by id. */
  listProjects(): Promise<readonly ProjectRecord[]>;
  /** Returns the project as it is then; undefined when there is none. */
  updateProject(id: string, changes: ProjectChanges, audit?: AuditEntry): Promise<ProjectRecord | undefined>;
  /** Sets `archived` where it is null. Returns the project as it is then; undefined when there is none. */
  archiveProject(id: string, at: number, audit?: AuditEntry): Promise<ProjectRecord | undefined>;
  /** Bytes of files, stored completions and stored responses of a project. May read many rows. */
  storageBytes(project: string): Promise<number>;
  /**
   * Calls `listener` after each change by this object, before its promise resolves, so that what was cached of keys can be dropped.
   * Changes by other processes are not reported. A promise of the listener is awaited.
   */
  onChange?(listener: (() => void) | (() => Promise<void>)): void;
}
