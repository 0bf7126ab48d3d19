import type { RequestTrace } from './request-trace.ts';

/** A request that a server sends again as it was accepted. */
export interface StoredRequest extends RequestTrace {
  /** The key of the request; its usage is counted for this key. */
  readonly keyId: string;
  /** The parsed body, as JSON text. */
  readonly request: string;
}
