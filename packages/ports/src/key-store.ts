/** What a key may do: everything of its project; read; or only have models answer. An `admin` key reads usage of all projects too. */
export const keyRoles = ['full', 'read_only', 'inference_only', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** A key, without the key: only its hash is kept. */
export interface KeyRecord {
  /** Names the key in logs, limits and usage. Unique. */
  readonly id: string;
  /** SHA-256 of the key, in hex. Unique. */
  readonly hash: string;
  readonly project: string;
  readonly role: KeyRole;
  /** For people. */
  readonly name: string;
  /** First letters of the key, to recognise it by. */
  readonly hint: string;
  /** Unix seconds, as all times here. */
  readonly created: number;
  /** From then on it is no key any more; null for one that lasts. */
  readonly expires: number | null;
  readonly revoked: number | null;
  /** For this key; null for unlimited. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** A project's own limits, which all its keys share; null for unlimited. */
export interface ProjectRecord {
  readonly id: string;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

export interface KeyStore {
  /** Durable when it resolves. Rejects when the id or the hash is taken. */
  add(key: KeyRecord): Promise<void>;
  /** Revoked and expired ones too: who asks decides. `project` is undefined for one that was never set. */
  findByHash(
    hash: string,
  ): Promise<{ readonly key: KeyRecord; readonly project: ProjectRecord | undefined } | undefined>;
  /** Of one project or of all, in the order they were added. */
  list(project?: string): Promise<readonly KeyRecord[]>;
  /** Sets `revoked` where it is null, and gives the key as it is then; undefined when there is none. Durable when it resolves. */
  revoke(id: string, at: number): Promise<KeyRecord | undefined>;
  /** Sets a project's limits; replaces existing ones. Durable when it resolves. */
  setProject(project: ProjectRecord): Promise<void>;
  /**
   * Calls `listener` after each `add`, `revoke` and `setProject` of this object, before their promise resolves, so that what was cached of
   * keys can be dropped. Changes by other processes are not reported.
   */
  onChange?(listener: () => void): void;
}
