/** A session of the console, or a one-time code that starts one. Contains neither the token nor the key, only their hashes. */
export interface SessionRecord {
  /** SHA-256 of the token or the code, in hex. Unique. */
  readonly hash: string;
  readonly kind: 'session' | 'code';
  /** SHA-256 of the key whose rights it has, in hex. */
  readonly keyHash: string;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds. It is invalid from then on. */
  readonly expires: number;
}

/** Sessions of the console. */
export interface SessionStore {
  /** Durable when it resolves. Rejects when the hash exists. */
  add(session: SessionRecord): Promise<void>;
  /** Also finds expired ones that were not removed yet. */
  find(hash: string): Promise<SessionRecord | undefined>;
  /** Changes when a session expires; without effect if it no longer exists. */
  extend(hash: string, expires: number): Promise<void>;
  /** Deletes a session or code and returns it. Of several concurrent calls, one gets it. Durable when it resolves. */
  consume(hash: string): Promise<SessionRecord | undefined>;
}
