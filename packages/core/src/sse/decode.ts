import { StreamError } from '../errors.ts';

export interface SseEvent {
  /** The `data:` lines, joined by `\n`. */
  readonly data: string;
  /** The `event:` field of this event. */
  readonly event: string | undefined;
  /** The last `id:` field seen so far in the stream. */
  readonly id: string | undefined;
}

export interface SseDecoderOptions {
  /** Called for each event, in order, before `push` returns. Must not throw. */
  readonly onEvent: (event: SseEvent) => void;
  /** Called for each valid `retry:` field, with its milliseconds. */
  readonly onRetry?: ((ms: number) => void) | undefined;
  /** A line or an event longer than this is an error. Default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
}

export interface SseDecoder {
  /** Takes the next bytes of the stream. Throws a `StreamError` (`too_large`) at the size limit; the decoder is dead then. */
  push(chunk: Uint8Array): void;
  /** The stream is over: an event without its closing blank line is dropped, as the standard says. */
  end(): void;
}

export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

const LF = 10;
const CR = 13;
const SPACE = 32;
const BOM = 0xfeff;
const KEPT_CAPACITY = 64 * 1024;

/**
 * A decoder of server-sent events. Synchronous and linear in the bytes pushed, whatever their split.
 *
 * It works on bytes up to the last line end of a chunk and decodes those in one go: line ends never fall inside a UTF-8
 * character, so no streaming `TextDecoder` is needed (in Node that one misses the fast path), and bytes of an unfinished
 * line are only copied, into a buffer that doubles.
 */
export function createSseDecoder({ onEvent, onRetry, maxEventBytes = MAX_EVENT_BYTES }: SseDecoderOptions): SseDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let held = new Uint8Array(0);
  let heldLength = 0;
  let started = false;
  let skipLineFeed = false;
  let data: string | undefined;
  let event: string | undefined;
  let id: string | undefined;

  return {
    push(chunk) {
      if (skipLineFeed && chunk.length > 0) {
        // The other half of a CRLF that two chunks share.
        skipLineFeed = false;
        if (chunk[0] === LF) chunk = chunk.subarray(1);
      }
      let end = chunk.lastIndexOf(LF) + 1;
      if (end < chunk.length) end += chunk.subarray(end).lastIndexOf(CR) + 1;
      if (end > 0) {
        // A CR ends its line at once; nothing waits for a LF that may follow.
        skipLineFeed = end === chunk.length && chunk[end - 1] === CR;
        let bytes = end === chunk.length ? chunk : chunk.subarray(0, end);
        if (heldLength > 0) {
          hold(bytes);
          bytes = held.subarray(0, heldLength);
          heldLength = 0;
          if (held.length > KEPT_CAPACITY) held = new Uint8Array(0);
        }
        readLines(utf8.decode(bytes));
        if (end === chunk.length) return;
        chunk = chunk.subarray(end);
      }
      hold(chunk);
      checkSize(heldLength);
    },
    end() {
      held = new Uint8Array(0);
      heldLength = 0;
      data = event = undefined;
    },
  };

  function hold(bytes: Uint8Array): void {
    const length = heldLength + bytes.length;
    if (length > held.length) {
      const larger = new Uint8Array(Math.max(length, 2 * held.length));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    held.set(bytes, heldLength);
    heldLength = length;
  }

  function checkSize(unread: number): void {
    if (unread + (data?.length ?? 0) > maxEventBytes) {
      throw new StreamError('too_large', `The stream holds an event of more than ${maxEventBytes} bytes.`);
    }
  }

  /** `text` holds whole lines only. */
  function readLines(text: string): void {
    let start = 0;
    if (!started) {
      started = true;
      if (text.charCodeAt(0) === BOM) start = 1;
    }
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
    while (start < text.length) {
      const end = text.indexOf('\n', start);
      if (end === start) dispatch();
      else if (text.startsWith('data:', start)) {
        append(text.slice(start + (text.charCodeAt(start + 5) === SPACE ? 6 : 5), end));
      } else readField(text.slice(start, end));
      start = end + 1;
    }
  }

  function readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
    if (name === 'data') append(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value.includes('\0') ? id : value;
    else if (name === 'retry' && /^\d+$/.test(value)) onRetry?.(Number(value));
  }

  function append(value: string): void {
    data = data === undefined ? value : `${data}\n${value}`;
    checkSize(0);
  }

  function dispatch(): void {
    const ready = data;
    const name = event;
    data = event = undefined;
    if (ready !== undefined) onEvent({ data: ready, event: name === '' ? undefined : name, id });
  }
}

/**
 * The events of a body, an array for each read that brought any. Leaving the loop cancels the body. Throws what the body
 * throws, and a `StreamError` (`too_large`) after the events before it.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  options: Omit<SseDecoderOptions, 'onEvent'> = {},
): AsyncGenerator<SseEvent[], void, undefined> {
  const reader = body.getReader();
  let ready: SseEvent[] = [];
  const decoder = createSseDecoder({ ...options, onEvent: (event) => ready.push(event) });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      let failure: StreamError | undefined;
      try {
        decoder.push(value);
      } catch (error) {
        if (!(error instanceof StreamError)) throw error;
        failure = error;
      }
      if (ready.length > 0) {
        const events = ready;
        ready = [];
        yield events;
      }
      if (failure !== undefined) throw failure;
    }
  } finally {
    // A body that broke rejects here too; its own error is already on its way.
    reader.cancel().catch(() => undefined);
  }
}
