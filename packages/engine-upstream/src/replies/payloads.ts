import { parseJson } from '@modelwire/adapter-kit';
import { yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import { DONE, createSseDecoder } from '@modelwire/core';
import type { SseEvent } from '@modelwire/core';
import type { RequestError } from '@modelwire/ports';
import type { UpstreamReply } from '../attempts/attempts.ts';
import { reportReply } from '@modelwire/adapter-kit/internal';
import { readErrorBody } from './error-body.ts';
import { TransportError } from '../transport-error.ts';
import { errorInReply, FailedReply, replyIncomplete, transportFailure, unexpectedReply } from '../attempts/failures.ts';
import type { AttemptFailure, FailureInReply } from '../attempts/failures.ts';
import { isTooDeep, parseLargeJson } from '../requests/json.ts';
import { JsonBody, maySendEvents } from '../requests/json-body.ts';
import { mediaType } from './reply-text.ts';
import type { ServerSettings } from '../presets/settings.ts';

/** Maximum number of items that are held back until the first token. */
const maxPendingItems = 32;

/** Completes the last event at the end of the body: some servers omit the last blank line. */
const eventTerminator = Buffer.from('\n\n');

/** Events, and frames without JSON, that keep the connection open. */
const pingPattern = /^(?:ping|pong|keep-?alive|heartbeat|: .*)$/i;

export interface Payloads<Item> extends AsyncIterableIterator<readonly Item[]> {
  /** The server that replied. */
  readonly server: Pick<ServerSettings, 'name' | 'preset'>;
  /** Reports an invalid reply as a failure of the server and closes the connection. Returns the error to throw. */
  rejectReply(reason: string): RequestError;
}

/** What a payload is: a failure, an item of the reply, or nothing that matters. */
export type PayloadReading<Item> =
  | FailureInReply
  | {
      readonly item: Item;
      /** Whether it has output. Until the first one, the reply is not passed on, and a failure can still be retried elsewhere. */
      readonly hasOutput: boolean;
    }
  | undefined;

/** Reads the payloads of one stream. It decides what they are and when the reply has ended. */
export interface PayloadReader<Item> {
  /** Reads a payload that looks like a JSON object. */
  read(payload: string): PayloadReading<Item>;
  /** Converts a complete JSON reply, of a server that does not stream, to the payload of a stream. Undefined if it is another object. */
  readComplete(value: unknown): { readonly payload: string } | FailureInReply | undefined;
  /** Whether the reply is complete, also without `[DONE]`. */
  isFinished(): boolean;
  /** Ends the reply at `[DONE]`. */
  end(): PayloadReading<Item>;
  /** Whether only `[DONE]` follows the payload that finishes the reply; it is not waited for. */
  readonly endsWhenFinished: boolean;
}

/**
 * Opens a streamed reply. Its items come in the groups in which they arrived.
 *
 * Resolves with the first output. An error, a frame that is not JSON, another kind of reply, a timeout and a failed connection are a `FailedReply`
 * until then, and a `RequestError` while reading. Leaving the loop closes the connection.
 */
export async function openPayloads<Item>(
  upstreamReply: UpstreamReply,
  reader: PayloadReader<Item>,
): Promise<Payloads<Item>> {
  const { reply, permit, server } = upstreamReply;
  let pending: Item[] = [];
  let failure: AttemptFailure | undefined;
  /** Whether an item has output, or so many have not that waiting for one is pointless. */
  let hasStarted = false;
  let isDone = false;
  let hasEnded = false;
  const jsonBody = new JsonBody();
  const decoder = createSseDecoder({ onEvent, onUnknownField });
  if (!maySendEvents(mediaType(reply))) failure = unexpectedReply('no event stream', server.name);

  function onEvent({ data, event }: SseEvent): void {
    if (isDone || failure !== undefined) return;
    if (event === 'error') failure = errorInReply(readErrorBody(data) ?? {}, server);
    else if (data.startsWith('{') && data.endsWith('}')) onPayload(data);
    else onOtherData(data.trim(), event);
  }

  /** llama.cpp sent errors as a field of their own until late 2025. */
  function onUnknownField(name: string, value: string): void {
    if (name === 'error' && !isDone) failure ??= errorInReply(readErrorBody(value) ?? {}, server);
  }

  function onPayload(payload: string): void {
    if (isTooDeep(payload)) failure = unexpectedReply('values nested too deeply', server.name);
    else add(reader.read(payload));
    if (reader.endsWhenFinished && reader.isFinished()) isDone = true;
  }

  /** Frames that are JSON, but no object, keep the connection open, except for a list with an error. */
  function onOtherData(data: string, event = ''): void {
    if (data === DONE || data === `"${DONE}"`) {
      isDone = true;
      add(reader.end());
      return;
    }
    if (data === '' || pingPattern.test(event) || pingPattern.test(data)) return;
    if (data.startsWith('{') && data.endsWith('}')) {
      onPayload(data);
      return;
    }
    const value = isTooDeep(data) ? undefined : parseJson(data);
    if (value === undefined) failure = unexpectedReply('a frame that is no JSON object', server.name);
    else if (Array.isArray(value) && value.length > 0) {
      const error = readErrorBody(data);
      if (error !== undefined) failure = errorInReply(error, server);
    }
  }

  function add(reading: PayloadReading<Item>): void {
    if (reading === undefined) return;
    if ('failure' in reading) failure = reading.failure;
    else {
      pending.push(reading.item);
      hasStarted ||= reading.hasOutput || pending.length >= maxPendingItems;
    }
  }

  function decode(chunks: readonly Buffer[]): void {
    if (failure !== undefined) return;
    if (jsonBody.accepts(chunks)) {
      if (!jsonBody.add(chunks)) failure = unexpectedReply('too large', server.name);
      return;
    }
    const [only] = chunks;
    try {
      // Each call of the decoder has a fixed cost: with a hundred chunks per read, joining them first halves the time.
      decoder.push(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    } catch {
      failure ??= unexpectedReply('an event that is too large', server.name);
    }
  }

  async function onBodyEnd(): Promise<void> {
    const text = jsonBody.text();
    if (text === undefined) decode([eventTerminator]);
    else await onComplete(text);
    if (isDone || failure !== undefined) return;
    if (reader.isFinished()) isDone = true;
    else failure = { ...replyIncomplete(server.name), fault: 'stream ended early' };
  }

  /** A reply without events: a complete one, an error, or lines of JSON. */
  async function onComplete(text: string): Promise<void> {
    const json = await parseLargeJson(text);
    const value = json === 'too deep' ? undefined : json.value;
    if (value === undefined) {
      for (const data of text.split('\n')) onEvent({ data: data.trim(), event: undefined, id: undefined });
      return;
    }
    const complete = reader.readComplete(value);
    if (complete === undefined) {
      const error = readErrorBody(text);
      failure = error ? errorInReply(error, server) : unexpectedReply('no event stream', server.name);
    } else if ('failure' in complete) ({ failure } = complete);
    else {
      await yieldAfterLarge(complete.payload.length);
      onPayload(complete.payload);
      await yieldAfterLarge(complete.payload.length);
    }
  }

  function finish(report: () => void): void {
    if (hasEnded) return;
    hasEnded = true;
    report();
    if (isDone) reply.body.release();
    else reply.body.cancel();
  }

  /** Reads what has arrived, or waits for it. A failure of the connection is `failure` afterwards. */
  async function read(): Promise<void> {
    try {
      const more = reply.body.ready();
      if (typeof more === 'boolean' ? more : await more) decode(reply.body.take());
      else await onBodyEnd();
    } catch (thrown) {
      if (!(thrown instanceof TransportError)) {
        finish(permit.released);
        throw thrown;
      }
      failure ??= transportFailure(thrown, server.name);
    }
  }

  async function next(): Promise<IteratorResult<readonly Item[], undefined>> {
    while (!hasEnded) {
      if (pending.length > 0) {
        const value = pending;
        pending = [];
        return { done: false, value };
      }
      if (failure !== undefined) {
        const { error, fault } = failure;
        finish(() => reportReply(permit, fault));
        throw error;
      }
      if (isDone) finish(permit.succeeded);
      else await read();
    }
    return { done: true, value: undefined };
  }

  const isOpening = (): boolean => !hasStarted && !isDone && failure === undefined;
  const openingFailure = (): AttemptFailure | undefined => (hasStarted ? undefined : failure);
  while (isOpening()) await read();
  const failed = openingFailure();
  if (failed !== undefined) {
    finish(() => reportReply(permit, failed.fault));
    throw new FailedReply(failed);
  }

  const payloads: Payloads<Item> = {
    server,
    next,
    rejectReply(reason) {
      const { error, fault } = unexpectedReply(reason, server.name);
      finish(() => reportReply(permit, fault));
      return error;
    },
    async return() {
      finish(permit.released);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return payloads;
}
