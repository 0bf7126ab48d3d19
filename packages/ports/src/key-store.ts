import type { AuditEntry } from './audit-store.ts';

/** What a key may do: everything in its project, read only, or only run models. An `admin` key also administers all projects. */
export const keyRoles = ['full', 'read_only', 'inference_only', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** Limits of a key or a project; null for none. */
export interface AccessLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** IDs of the models that may be used. */
  readonly allowedModels: readonly string[] | null;
  /** Maximum number of output tokens that a request may ask for. */
  readonly maxOutputTokens: number | null;
}

export const noAccessLimits: AccessLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  allowedModels: null,
  maxOutputTokens: null,
};

/** A key without its secret, of which only a hash is stored. */
export interface KeyRecord extends AccessLimits {
  /** Identifies the key in logs, limits and usage. Unique. */
  readonly id: string;
  /** SHA-256 of the key, in hex. Unique. */
  readonly hash: string;
  readonly project: string;
  readonly role: KeyRole;
  /** Display name. */
  readonly name: string;
  /** First characters of the key, for display. */
  readonly hint: string;
  /** Unix seconds, like all times of this record. */
  readonly created: number;
  /** When the key expires; null for never. */
  readonly expires: number | null;
  readonly revoked: number | null;
  /** When it was last used, approximately. */
  readonly lastUsed: number | null;
}

/** A project with the limits that its keys share. */
export interface ProjectRecord extends AccessLimits {
  readonly id: string;
  /** Display name. */
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

/** The key of a hash, and its project if it is stored. */
export interface FoundKey {
  readonly key: KeyRecord;
  readonly project: ProjectRecord | undefined;
  /** When the secret stops being valid, in Unix seconds, if it was replaced by a rotation. */
  readonly validUntil?: number | undefined;
}

/** Keys and projects. Every change is durable when it resolves, and is committed together with its entry in the audit log. */
export interface KeyStore {
  /** Stores the key, and its project if that is new. Rejects if the ID or the hash exists. */
  add(key: KeyRecord, audit?: AuditEntry): Promise<void>;
  /** Also finds revoked and expired keys, and keys by the secret that the last rotation replaced: the caller checks the validity. */
  findByHash(hash: string): Promise<FoundKey | undefined>;
  get(id: string): Promise<KeyRecord | undefined>;
  /** The keys of one project or of all, in the order in which they were added. */
  list(project?: string): Promise<readonly KeyRecord[]>;
  /** Returns the updated key; undefined if it does not exist. */
  update(id: string, changes: KeyChanges, audit?: AuditEntry): Promise<KeyRecord | undefined>;
  /**
   * Replaces the secret. The previous one is found until `previousValidUntil` (Unix seconds), the one before that no longer. Returns the
   * updated key; undefined if it does not exist.
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
  /** Sets `revoked` if it is null. Returns the updated key; undefined if it does not exist. */
  revoke(id: string, at: number, audit?: AuditEntry): Promise<KeyRecord | undefined>;
  /** Records when keys were last used; keys that do not exist are ignored. */
  recordUse(uses: readonly { readonly id: string; readonly at: number }[]): Promise<void>;

  /** Resolves to false if the ID exists; then nothing changes. */
  addProject(project: ProjectRecord, audit?: AuditEntry): Promise<boolean>;
  getProject(id: string): Promise<ProjectRecord | undefined>;
  /** All projects, ordered by ID. */
  listProjects(): Promise<readonly ProjectRecord[]>;
  /** Returns the updated project; undefined if it does not exist. */
  updateProject(id: string, changes: ProjectChanges, audit?: AuditEntry): Promise<ProjectRecord | undefined>;
  /** Sets `archived` if it is null. Returns the updated project; undefined if it does not exist. */
  archiveProject(id: string, at: number, audit?: AuditEntry): Promise<ProjectRecord | undefined>;
  /** Bytes of files, stored completions and stored responses of a project. The cost does not depend on how many there are. */
  storageBytes(project: string): Promise<number>;
  /**
   * Calls `listener` after each change by this object, before its promise resolves, so that caches can be invalidated. Changes by other
   * processes are not reported. If the listener returns a promise, it is awaited.
   */
  onChange?(listener: (() => void) | (() => Promise<void>)): void;
}
