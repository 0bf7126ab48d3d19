import { isRecord, parseJson } from '@modelwire/adapter-kit';

/** The details in the body of an error, of any provider. */
export interface ErrorBody {
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
  /** The HTTP status that the error itself names, for errors inside a stream. */
  readonly status?: number;
  /** Seconds to wait before a retry, if the body has them. */
  readonly retryAfter?: number;
  /** A limit that a retry does not lift, such as a daily quota. */
  readonly isFinal?: boolean;
  /** Whether the provider refused the key of this server. The status may be any. */
  readonly isKeyInvalid?: boolean;
}

/**
 * Reads `{"error": {...}}` (Anthropic, Gemini, OpenAI), `{"error": "text"}` and `{"message": "text"}` (Mistral, Cohere, Bedrock).
 * Undefined for other bodies, such as HTML.
 */
export function readErrorBody(text: string | undefined): ErrorBody | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isRecord(value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') return { message: error };
  const fields = isRecord(error) ? error : value;
  const { message, type, status, code, details } = fields;
  if (typeof message !== 'string' || message === '') return undefined;
  const kind = typeof type === 'string' ? type : status;
  return {
    message,
    ...(typeof kind === 'string' && { type: kind }),
    ...(typeof code === 'string' && { code }),
    ...(typeof code === 'number' && code >= 400 && code < 600 && { status: code }),
    ...readDetails(details),
  };
}

/** Gemini sends a list of objects with `@type`, Anthropic one object. */
function readDetails(details: unknown): Pick<ErrorBody, 'retryAfter' | 'isFinal' | 'isKeyInvalid'> {
  const list = (Array.isArray(details) ? (details as readonly unknown[]) : [details]).filter(isRecord);
  const retryAfter = list.map(retryDelay).find((delay) => delay !== undefined);
  return {
    ...(retryAfter !== undefined && { retryAfter }),
    ...(list.some(isFinalLimit) && { isFinal: true }),
    ...(list.some(({ reason }) => reason === 'API_KEY_INVALID') && { isKeyInvalid: true }),
  };
}

/** Gemini: `{"@type": ".../google.rpc.RetryInfo", "retryDelay": "45.837906927s"}`. */
function retryDelay({ retryDelay: delay }: Readonly<Record<string, unknown>>): number | undefined {
  const [, seconds] = (typeof delay === 'string' && /^(\d{1,6}(?:\.\d+)?)s$/.exec(delay)) || [];
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(Number(seconds)));
}

/** Gemini names quotas in `violations`; Anthropic names an own spend limit in `error_code`. */
function isFinalLimit({ error_code, violations }: Readonly<Record<string, unknown>>): boolean {
  if (error_code === 'enforced_spend_limit_reached') return true;
  return (Array.isArray(violations) ? (violations as readonly unknown[]) : []).some(
    (violation) =>
      isRecord(violation) && typeof violation['quotaId'] === 'string' && violation['quotaId'].includes('PerDay'),
  );
}
