import type { KeyRole } from './key-store.ts';
import type { RateSubject } from './rate-limiter.ts';

/** Who calls: what a key stands for. */
export interface Principal {
  /** Names the key in logs and rate limits; never the key itself. */
  readonly keyId: string;
  readonly project: string;
  /** Name of the key, for people. */
  readonly keyName?: string | undefined;
  /** Default `full`. */
  readonly role?: KeyRole | undefined;
  /** What the rate limiter counts against. Default: the key, with the limiter's own limits. */
  readonly limits?: readonly RateSubject[] | undefined;
}

/** Turns a bearer key into who calls, or undefined for a key that is unknown. Must compare in constant time. */
export interface Authenticator {
  authenticate(key: string): Principal | undefined | Promise<Principal | undefined>;
  /**
   * The same by the SHA-256 of the key, in hex: sessions of the console store only this hash, and end when it is no longer valid.
   * Without this method nobody can sign in to the console.
   */
  authenticateHash?(hash: string): Principal | undefined | Promise<Principal | undefined>;
}
