import { InputError } from '../errors.ts';
import type { Body } from './options.ts';

/** A body that is created for each attempt, such as a form with a stream. */
export interface BodySource {
  /** Its content type. */
  readonly type: string;
  /** True when `stream` can be called once only; a request with such a body is not retried. */
  readonly isSingleUse?: boolean | undefined;
  /** Aborting the signal stops the source. Its errors go to `fail`, since `fetch` does not report them. */
  readonly stream: (signal: AbortSignal, fail: (error: unknown) => void) => ReadableStream<Uint8Array>;
}

export interface EncodedBody {
  readonly body?: Body | BodySource['stream'] | undefined;
  /** Undefined where `fetch` sets it, as with the boundary of a form. */
  readonly contentType?: string | undefined;
  /** False for a body that can be read only once. */
  readonly isReplayable: boolean;
}

/** Plain values become JSON (API: Authentication, rule 2); forms, blobs, bytes, text and streams stay as they are. */
export function encodeBody(value: object | Body | null | undefined): EncodedBody {
  if (value === undefined || value === null) return { isReplayable: true };
  // By its tag instead of instanceof, so that forms and streams of other realms and polyfills match.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object' && tag !== 'Array') {
    const isReplayable = tag !== 'ReadableStream' && tag !== 'AsyncGenerator';
    return { body: value as Body, isReplayable };
  }
  if (isSource(value)) return { body: value.stream, contentType: value.type, isReplayable: value.isSingleUse !== true };
  try {
    return { body: JSON.stringify(value), contentType: 'application/json', isReplayable: true };
  } catch (cause) {
    throw new InputError('The body cannot be serialized as JSON.', { cause });
  }
}

/** JSON has no functions, so no plain body matches. */
function isSource(value: object | Body): value is BodySource {
  return typeof value === 'object' && 'stream' in value && typeof value.stream === 'function';
}
