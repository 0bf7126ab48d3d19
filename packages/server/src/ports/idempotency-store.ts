/** An answer that was given, to be given again to the letter. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What is known of an idempotency key when a request claims it. */
export type Claim =
  /** Nobody else has it: go on, then `finish` or `release`. */
  | { readonly state: 'mine' }
  /** Another request with the same fingerprint works on it. */
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly answer: KeptAnswer }
  /** The same key was used for another request. */
  | { readonly state: 'other' };

export interface ClaimInit {
  readonly key: string;
  /** Hash of what was asked. */
  readonly fingerprint: string;
  /** Unix milliseconds. A claim whose `until` has passed was left by a server that died: it may be taken over. */
  readonly now: number;
  readonly until: number;
}

/** Idempotency keys of one project. */
export interface IdempotencyStore {
  /** Of those that claim a key at the same time, on any replica, exactly one gets `mine`. Durable when it resolves. */
  claim(init: ClaimInit): Promise<Claim>;
  /** Keeps the answer until `expires` (Unix milliseconds). Durable when it resolves. */
  finish(key: string, answer: KeptAnswer, expires: number): Promise<void>;
  /** Gives the key up: nothing was done. */
  release(key: string): Promise<void>;
}
