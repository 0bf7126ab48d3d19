/** An answer that was given, to be given again to the letter. */
export interface CachedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What is known of an idempotency key when a request claims it. */
export type Claim =
  /** Nobody else has it: go on, hold on to it with `renew`, then `finish` or `release` it. */
  | { readonly state: 'mine' }
  /** Another request with the same fingerprint works on it. */
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly answer: CachedResponse }
  /** The same key was used for another request. */
  | { readonly state: 'other' };

/** A claim, to whoever made it. */
export interface HeldClaim {
  readonly key: string;
  /** Differs for each claim: what is done in the name of one does nothing once another request has the key. */
  readonly token: string;
}

export interface ClaimInit extends HeldClaim {
  /** Hash of what was asked. */
  readonly fingerprint: string;
  /** Milliseconds after which the claim may be taken over unless it was renewed: the server that made it died. */
  readonly claimMs: number;
}

/**
 * Idempotency keys of one project. All times are by the clock of the store, which all servers share: a server passes durations in
 * milliseconds.
 */
export interface IdempotencyStore {
  /** Of those that claim a key at the same time, on any replica, exactly one gets `mine`. Durable when it resolves. */
  claim(init: ClaimInit): Promise<Claim>;
  /** Extends a claim to `claimMs` from now. False when it is another's by now, or was finished. */
  renew(claim: HeldClaim, claimMs: number): Promise<boolean>;
  /** Keeps the answer for `keepMs`. Durable when it resolves; false when the claim was lost: then nothing was kept. */
  finish(claim: HeldClaim, answer: CachedResponse, keepMs: number): Promise<boolean>;
  /** Gives the key up: nothing was done. */
  release(claim: HeldClaim): Promise<void>;
}
