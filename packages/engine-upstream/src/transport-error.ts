/** The connection failed. Has the phase, but no addresses, headers or bytes. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** `connect`: nothing was sent. `headers`: sent, no reply yet. `body`: the reply had started. */
  readonly phase: 'connect' | 'headers' | 'body';
  readonly isTimeout: boolean;
  /** The reply is not valid HTTP. */
  readonly isMalformed: boolean;
  /** The reply has a content coding that is unknown, invalid, or that decodes to too much. */
  readonly isUndecodable: boolean;

  constructor(phase: TransportError['phase'], code: string) {
    super(code);
    this.phase = phase;
    this.isTimeout = timeoutErrorCodes.has(code);
    this.isMalformed = malformedReplyCodes.has(code);
    this.isUndecodable = code === undecodableReply;
  }
}

const timeoutErrorCodes: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** The code of replies that violate HTTP, including statuses 100 and 101, statuses below 100 and endless interim replies. */
export const malformedReply = 'MALFORMED_REPLY';
const malformedReplyCodes: ReadonlySet<string> = new Set([
  malformedReply,
  'HTTPParserError',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
/** The code of replies whose content coding cannot be decoded. */
export const undecodableReply = 'UNDECODABLE_REPLY';

/** The code of an error of undici or of a socket. */
export function transportErrorCode(error: Error): string {
  // undici uses one code for a closed socket and for an unexpected status 100 or upgrade.
  if (error.message === 'bad response' || error.message === 'bad upgrade') return malformedReply;
  if ('code' in error && typeof error.code === 'string' && !error.code.startsWith('HPE_')) return error.code;
  return error.name;
}
