import type { StreamTimes } from './event-stream-store.ts';

/** A response that is replayed unchanged. */
export interface CachedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The state of an idempotency key when a request claims it. */
export type Claim =
  /** The key is free: process the request, extend the claim with `renew`, then call `finish` or `release`. */
  | { readonly state: 'acquired' }
  /** Another request with the same fingerprint is in progress. */
  | { readonly state: 'in_progress' }
  | { readonly state: 'completed'; readonly response: CachedResponse }
  /** The reply is a stream, which may have ended. It exists, unless it is deleted at this moment. */
  | { readonly state: 'streamed'; readonly stream: string }
  /** The same key was used for another request. */
  | { readonly state: 'key_reused' };

/** A claim that was granted. */
export interface HeldClaim {
  readonly key: string;
  /** Unique for each claim: methods have no effect once another request has claimed the key. */
  readonly token: string;
}

export interface ClaimInit extends HeldClaim {
  /** Hash of the request. */
  readonly fingerprint: string;
  /** Milliseconds after which the claim expires unless it is renewed, for instance because its server crashed. */
  readonly claimTtlMs: number;
  /**
   * The stream that will be the reply: it is created if the key is acquired. The key refers to it until the claim expires, without being renewed
   * or finished; it can be claimed earlier if the stream failed, is lost, or was deleted.
   */
  readonly stream?: (StreamTimes & { readonly id: string }) | undefined;
}

/**
 * Idempotency keys of one project. All times are by the clock of the store, which all servers share: a server passes durations in
 * milliseconds.
 */
export interface IdempotencyStore {
  /** Of concurrent claims of a key, on any replica, exactly one gets `acquired`. Durable when it resolves. */
  claim(init: ClaimInit): Promise<Claim>;
  /** The state of a key, which is not claimed: undefined if it is free. */
  find(key: string, fingerprint: string): Promise<Exclude<Claim, { readonly state: 'acquired' }> | undefined>;
  /** Extends a claim to `claimTtlMs` from now. Returns false if the claim was lost or finished. */
  renew(claim: HeldClaim, claimTtlMs: number): Promise<boolean>;
  /** Stores the response for `retentionMs`. Durable when it resolves. Returns false if the claim was lost; then nothing is stored. */
  finish(claim: HeldClaim, response: CachedResponse, retentionMs: number): Promise<boolean>;
  /** Releases the key, because the request had no effect, and deletes its stream. */
  release(claim: HeldClaim): Promise<void>;
}
