import type { AuditEntry } from './audit-store.ts';

/** Whom an identity provider has identified. */
export interface Person {
  /** Names the person in logs, limits, usage and the audit log, where requests with a key have the ID of the key. */
  readonly id: string;
  /** Display name, such as an email address. */
  readonly name: string;
  /** The groups of the person that give access. */
  readonly groups: readonly string[];
  /** Identifies the provider that named the groups, and the claim: groups with the same name elsewhere are others. */
  readonly source: string;
}

/**
 * A session of the console, of a key or of a person, or a one-time code that starts one. Contains neither the token nor the key, only their
 * hashes.
 */
export interface SessionRecord {
  /** SHA-256 of the token or the code, in hex. Unique. */
  readonly hash: string;
  readonly kind: 'session' | 'code';
  /** SHA-256 of the key whose rights it has, in hex; null for a session of a person. */
  readonly keyHash: string | null;
  /** Null for a session of a key. */
  readonly person: Person | null;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds. It is invalid from then on. */
  readonly expires: number;
}

/** Sessions of the console. */
export interface SessionStore {
  /** Durable when it resolves, together with its entry in the audit log. Rejects when the hash exists. */
  add(session: SessionRecord, audit?: AuditEntry): Promise<void>;
  /** Also finds expired ones that were not removed yet. */
  find(hash: string): Promise<SessionRecord | undefined>;
  /** Changes when a session expires; without effect if it no longer exists. */
  extend(hash: string, expires: number): Promise<void>;
  /** Deletes a session or code and returns it. Of several concurrent calls, one gets it. Durable when it resolves. */
  consume(hash: string): Promise<SessionRecord | undefined>;
}
