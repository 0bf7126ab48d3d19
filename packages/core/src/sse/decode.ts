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
  /** Called for each field that the standard does not define. */
  readonly onUnknownField?: ((name: string, value: string) => void) | undefined;
  /** A line or an event longer than this is an error. Default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
}

export interface SseDecoder {
  /** Decodes the next bytes of the stream. Throws a `StreamError` (`too_large`) at the size limit; do not use the decoder after that. */
  push(chunk: Uint8Array): void;
  /** Ends the stream: an event without its closing blank line is dropped, as the standard requires. */
  end(): void;
}

const MAX_EVENT_BYTES = 16 * 1024 * 1024;

const LF = 10;
const CR = 13;
const SPACE = 32;
const BOM = 0xfeff;
const BLOCK = 16 * 1024;
const INCOMPLETE = { stream: true };

/**
 * A decoder of server-sent events. Synchronous and linear in the bytes pushed, whatever their split.
 *
 * It decodes a chunk up to its last line end in one call; line ends never fall inside a UTF-8 character. The bytes of an incomplete
 * line are copied into a block and decoded when that is full, so that neither tiny chunks nor a very long line are decoded twice.
 */
export function createSseDecoder({
  onEvent,
  onRetry,
  onUnknownField,
  maxEventBytes = MAX_EVENT_BYTES,
}: SseDecoderOptions): SseDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  // The incomplete line: text, followed by the bytes in `block`.
  let text = '';
  let block: Uint8Array | undefined;
  let blockLength = 0;
  let hasStarted = false;
  let skipLineFeed = false;
  let data: string | undefined;
  let event: string | undefined;
  let id: string | undefined;

  return {
    push(chunk) {
      if (skipLineFeed && chunk.length > 0) {
        // The LF of a CRLF that is split between two chunks.
        skipLineFeed = false;
        if (chunk[0] === LF) chunk = chunk.subarray(1);
      }
      let end = chunk.lastIndexOf(LF) + 1;
      if (end < chunk.length && chunk.includes(CR, end)) end = chunk.lastIndexOf(CR) + 1;
      if (end > 0) {
        // A CR ends its line immediately, without waiting for an LF that may follow.
        skipLineFeed = end === chunk.length && chunk[end - 1] === CR;
        readLines(completeLines(end === chunk.length ? chunk : chunk.subarray(0, end)));
        if (end === chunk.length) return;
        chunk = chunk.subarray(end);
      }
      buffer(chunk);
      checkSize(text.length + blockLength);
    },
    end() {
      text = '';
      blockLength = 0;
      data = event = undefined;
    },
  };

  function buffer(bytes: Uint8Array): void {
    block ??= new Uint8Array(BLOCK);
    if (blockLength + bytes.length < BLOCK) {
      block.set(bytes, blockLength);
      blockLength += bytes.length;
    } else {
      text += utf8.decode(block.subarray(0, blockLength), INCOMPLETE) + utf8.decode(bytes, INCOMPLETE);
      blockLength = 0;
    }
  }

  /** The buffered text followed by `bytes`, which end with a line end. */
  function completeLines(bytes: Uint8Array): string {
    if (blockLength === 0 && text === '') return utf8.decode(bytes);
    buffer(bytes);
    const decoded = text + utf8.decode(block?.subarray(0, blockLength));
    text = '';
    blockLength = 0;
    return decoded;
  }

  function checkSize(unread: number): void {
    if (unread + (data?.length ?? 0) > maxEventBytes) {
      throw new StreamError('too_large', `The stream has an event of more than ${maxEventBytes} bytes.`);
    }
  }

  /** Takes complete lines only. */
  function readLines(lines: string): void {
    let start = 0;
    if (!hasStarted) {
      hasStarted = true;
      if (lines.charCodeAt(0) === BOM) start = 1;
    }
    if (lines.includes('\r')) lines = lines.replace(/\r\n?/g, '\n');
    while (start < lines.length) {
      const end = lines.indexOf('\n', start);
      if (end === start) dispatch();
      else if (lines.startsWith('data:', start)) {
        append(lines.slice(start + (lines.charCodeAt(start + 5) === SPACE ? 6 : 5), end));
      } else readField(lines.slice(start, end));
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
    else if (name === 'retry') {
      if (/^\d+$/.test(value)) onRetry?.(Number(value));
    } else if (name !== '') onUnknownField?.(name, value);
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
 * The events of a body, in arrays: one for each read that completed any. Leaving the loop cancels the body. Throws what the body
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
    // A failed body rejects here, too; its error has already been thrown.
    reader.cancel().catch(() => undefined);
  }
}
