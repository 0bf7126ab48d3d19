import type { KeyRole } from './key-store.ts';
import type { RateSubject } from './rate-limiter.ts';

/** The caller that a key authenticates. */
export interface Principal {
  /** Names the key in logs and rate limits; never the key itself. */
  readonly keyId: string;
  readonly project: string;
  /** Display name of the key. */
  readonly keyName?: string | undefined;
  /** Default `full`. */
  readonly role?: KeyRole | undefined;
  /** What the rate limiter counts against. Default: the key, with the limiter's own limits. */
  readonly limits?: readonly RateSubject[] | undefined;
}

/** Returns the principal of a bearer key, or undefined for an unknown key. Must compare in constant time. */
export interface Authenticator {
  authenticate(key: string): Principal | undefined | Promise<Principal | undefined>;
  /**
   * The same by the SHA-256 of the key, in hex: sessions of the console store only this hash, and end when it is no longer valid. Without this
   * method, sign-in to the console is not possible.
   */
  authenticateHash?(hash: string): Principal | undefined | Promise<Principal | undefined>;
}
