/** Who calls: what a key stands for. */
export interface Principal {
  /** Names the key in logs and rate limits; never the key itself. */
  readonly keyId: string;
  readonly project: string;
}

/** Turns a bearer key into who calls, or undefined for a key that is unknown. Must compare in constant time. */
export interface Authenticator {
  authenticate(key: string): Principal | undefined | Promise<Principal | undefined>;
}
