import type { SentRequest } from '../report.ts';

/** A complete response, read within the limits. */
export interface CompleteResponse {
  readonly sent: SentRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
}

/** There was no response, or it did not end. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  readonly sent: SentRequest;
  /** Whether the connection failed within the response. */
  readonly isBroken: boolean;

  constructor(reason: string, sent: SentRequest, isBroken = false) {
    super(reason);
    this.sent = sent;
    this.isBroken = isBroken;
  }
}

export const isSuccess = ({ status }: CompleteResponse): boolean => status >= 200 && status < 300;

/** The media type without its parameters. */
export function mediaType({ headers }: CompleteResponse): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
