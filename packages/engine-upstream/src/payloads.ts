import { isRecord, parseJson } from '@modelwire/ports';
import { DONE, createSseDecoder } from '@modelwire/core';
import type { SseEvent } from '@modelwire/core';
import type { RequestError } from '@modelwire/ports';
import type { UpstreamReply } from './attempts.ts';
import { reportReply } from './circuit-breaker.ts';
import { errorFields } from './error-body.ts';
import { TransportError } from './exchange.ts';
import { errorInReply, streamInterrupted, transportFailure, unexpectedReply } from './failures.ts';
import type { UpstreamFailure } from './failures.ts';
import { isTooDeep, objectItems } from './json.ts';
import { hasContinuousUsage } from './presets.ts';
import { mediaType } from './reply-text.ts';

/** Media types, besides that of event streams, with which servers send event streams. */
const streamMediaTypes: ReadonlySet<string> = new Set([
  'text/event-stream',
  'text/plain',
  'application/octet-stream',
  '',
]);

/** Completes the last event at the end of the body: some servers omit the last blank line. */
const eventTerminator = Buffer.from('\n\n');

export interface Payloads extends AsyncIterableIterator<readonly string[]> {
  /** Whether chunks may have continuous usage: the counts of the prompt and of the choice of the chunk. */
  readonly hasContinuousUsage: boolean;
  /** Reports an invalid reply as a failure of the server and closes the connection. Returns the error to throw. */
  rejectReply(reason: string): RequestError;
}

/**
 * The payloads of a streamed reply, in the groups in which they arrived. Only payloads that may be an error or a last chunk are parsed.
 *
 * Throws a `RequestError` immediately for a reply of another media type; while reading, for an error event, an event that is not a JSON object,
 * a timeout and a failed connection. A body that ends without `[DONE]` is complete if all `choices` had their `finish_reason`, as some servers
 * do. Leaving the loop closes the connection.
 */
export function readPayloads(upstreamReply: UpstreamReply, choices: number): Payloads {
  const finished = new Set<unknown>();
  return readEvents(upstreamReply, {
    // An expression that starts with a rare letter instead of a quote takes half the time.
    inspectPattern: /rror"|reason"\s*:\s*"/,
    isFinished(chunk) {
      for (const choice of objectItems(chunk['choices'])) {
        if (typeof choice['finish_reason'] === 'string') finished.add(choice['index'] ?? 0);
      }
      return finished.size >= choices;
    },
  });
}

/** How the end of an event stream is detected. */
interface StreamProtocol {
  /** Matches all payloads that may be an error or finish the stream. Others are not parsed. */
  readonly inspectPattern: RegExp;
  /** Called with payloads that `suspect` matches. True when the reply is complete, also without `[DONE]`. */
  readonly isFinished: (payload: Readonly<Record<string, unknown>>) => boolean;
  /** Whether only `[DONE]` follows the payload that finishes the reply; it is not waited for. Default: false. */
  readonly endsWhenFinished?: boolean;
}

/** The same for other kinds of events. */
export function readEvents(
  upstreamReply: UpstreamReply,
  { inspectPattern, isFinished, endsWhenFinished = false }: StreamProtocol,
): Payloads {
  const { reply, permit, server } = upstreamReply;
  let hasFinished = false;
  let pending: string[] = [];
  let failure: UpstreamFailure | undefined;
  let isDone = false;
  let hasEnded = false;
  if (!streamMediaTypes.has(mediaType(reply))) {
    const { error, fault } = unexpectedReply('no event stream', server.name);
    reportReply(permit, fault);
    reply.body.cancel();
    throw error;
  }

  const decoder = createSseDecoder({ onEvent });

  function onEvent({ data, event }: SseEvent): void {
    if (isDone || failure !== undefined) return;
    if (isTooDeep(data)) failure = unexpectedReply('values nested too deeply', server.name);
    else if (data.startsWith('{') && data.endsWith('}')) {
      if (event === 'error' || inspectPattern.test(data)) failure = inspectPayload(data, event === 'error');
      if (failure === undefined) pending.push(data);
    } else if (data === DONE) isDone = true;
    else if (data.trim() !== '') failure = unexpectedReply('a frame that is no JSON object', server.name);
  }

  /** Returns the error in a chunk; otherwise records the choices that it finishes. */
  function inspectPayload(data: string, isError: boolean): UpstreamFailure | undefined {
    const chunk = parseJson(data);
    const fields = errorFields(chunk) ?? (isError ? {} : undefined);
    if (fields !== undefined) return errorInReply(fields, server);
    if (isRecord(chunk) && isFinished(chunk)) {
      hasFinished = true;
      isDone = endsWhenFinished;
    }
    return undefined;
  }

  function decode(chunks: readonly Buffer[]): void {
    const [only] = chunks;
    try {
      // Each call of the decoder has a fixed cost: with a hundred chunks per read, joining them first halves the time.
      decoder.push(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    } catch {
      failure ??= unexpectedReply('an event that is too large', server.name);
    }
  }

  function onBodyEnd(): void {
    decode([eventTerminator]);
    if (isDone || failure !== undefined) return;
    if (hasFinished) isDone = true;
    else {
      const cause = new Error(`${server.name}: the reply ended without [DONE]`);
      failure = { error: streamInterrupted(server.name, cause), fault: 'stream ended early' };
    }
  }

  function finish(report: () => void): void {
    if (hasEnded) return;
    hasEnded = true;
    report();
    if (isDone) reply.body.release();
    else reply.body.cancel();
  }

  async function next(): Promise<IteratorResult<readonly string[], undefined>> {
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
      if (isDone) {
        finish(permit.succeeded);
        break;
      }
      try {
        const more = reply.body.ready();
        if (typeof more === 'boolean' ? more : await more) decode(reply.body.take());
        else onBodyEnd();
      } catch (thrown) {
        if (!(thrown instanceof TransportError)) {
          finish(permit.released);
          throw thrown;
        }
        failure = transportFailure(thrown, server.name);
      }
    }
    return { done: true, value: undefined };
  }

  return {
    hasContinuousUsage: hasContinuousUsage(server.preset),
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
}
