import { InputError } from './errors.ts';
import type { Body } from './options.ts';

/** A body that is made anew for each attempt, such as a form around a stream. */
export interface BodySource {
  /** Its content type. */
  readonly type: string;
  /** True when `stream` can be asked once only; such a body is sent once. */
  readonly once?: boolean | undefined;
  /** The signal says that nobody wants the rest. What the source throws goes to `fail`, since `fetch` does not tell it. */
  readonly stream: (signal: AbortSignal, fail: (error: unknown) => void) => ReadableStream<Uint8Array>;
}

export interface EncodedBody {
  readonly body?: Body | BodySource['stream'] | undefined;
  /** Unset where `fetch` knows better, such as the boundary of a form. */
  readonly contentType?: string | undefined;
  /** False for a body that can be read once. */
  readonly replayable: boolean;
}

/** Plain values become JSON (interface: Authentication, rule 2); forms, blobs, bytes, text and streams stay as they are. */
export function encodeBody(value: object | Body | null | undefined): EncodedBody {
  if (value === undefined || value === null) return { replayable: true };
  // By its tag, not by instanceof: a form or stream of another realm or a polyfill is one too.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object' && tag !== 'Array') {
    const replayable = tag !== 'ReadableStream' && tag !== 'AsyncGenerator';
    return { body: value as Body, replayable };
  }
  if (isSource(value)) return { body: value.stream, contentType: value.type, replayable: value.once !== true };
  try {
    return { body: JSON.stringify(value), contentType: 'application/json', replayable: true };
  } catch (cause) {
    throw new InputError('The body cannot be written as JSON.', { cause });
  }
}

/** JSON has no functions, so no plain body is taken for one. */
function isSource(value: object | Body): value is BodySource {
  return typeof value === 'object' && 'stream' in value && typeof value.stream === 'function';
}
