import { isRecord } from '@modelwire/ports';
import { DONE, createSseDecoder } from '@modelwire/core';
import type { SseEvent } from '@modelwire/core';
import type { RequestError } from '@modelwire/ports';
import type { Answer } from './attempts.ts';
import { reportAnswer } from './circuit-breaker.ts';
import { errorFields } from './error-body.ts';
import { TransportError } from './exchange.ts';
import { errorInReply, streamInterrupted, transportFailure, unexpectedReply } from './failures.ts';
import type { ErrorAnswer } from './failures.ts';
import { isTooDeep, objectsIn, parseJson } from './json.ts';
import { hasContinuousUsage } from './presets.ts';
import { mediaType } from './reply-text.ts';

/** Servers in use that stream events under another type, or none; anything else is no stream. */
const streamTypes: ReadonlySet<string> = new Set(['text/event-stream', 'text/plain', 'application/octet-stream', '']);

/** An event closed by force at the end of the body: some servers leave out the last blank line. */
const closing = Buffer.from('\n\n');

export interface Payloads extends AsyncIterableIterator<readonly string[]> {
  /** Whether chunks may carry usage so far: the counts of the prompt and of the chunk's own choice. */
  readonly hasContinuousUsage: boolean;
  /** What came was not what was asked for: the server is to blame, and what follows is not read. Gives the error to throw. */
  refuse(why: string): RequestError;
}

/**
 * The payloads of a streamed reply: what arrived together comes together, at once. Nothing is parsed on the way, save what
 * looks like an error or a last chunk.
 *
 * Throws a `RequestError` at once for a reply of another type; while it is read, for an error frame, a frame that is no JSON object, silence and a broken connection. A body that
 * ends without `[DONE]` counts as finished when all `choices` had their `finish_reason`, as servers in use do it.
 * Leaving the loop breaks the connection off.
 */
export function readPayloads(answer: Answer, choices: number): Payloads {
  const finished = new Set<unknown>();
  return readEvents(answer, {
    // Beginning with a rare letter, not with a quote, takes half the time.
    suspect: /rror"|reason"\s*:\s*"/,
    isFinished(chunk) {
      for (const choice of objectsIn(chunk['choices'])) {
        if (typeof choice['finish_reason'] === 'string') finished.add(choice['index'] ?? 0);
      }
      return finished.size >= choices;
    },
  });
}

/** What a stream of events says of its end. */
interface StreamProtocol {
  /** Matches every payload that may be an error or finish the stream. All others pass unparsed. */
  readonly suspect: RegExp;
  /** Called with payloads that `suspect` matches. True when the reply is complete, also without `[DONE]`. */
  readonly isFinished: (payload: Readonly<Record<string, unknown>>) => boolean;
  /** Whether nothing follows the payload that finishes the reply but `[DONE]`: it is not waited for. Default: false. */
  readonly endsWhenFinished?: boolean;
}

/** The same for any kind of events. */
export function readEvents(
  answer: Answer,
  { suspect, isFinished, endsWhenFinished = false }: StreamProtocol,
): Payloads {
  const { reply, permit, server } = answer;
  let hasFinished = false;
  let ready: string[] = [];
  let failure: ErrorAnswer | undefined;
  let done = false;
  let over = false;
  if (!streamTypes.has(mediaType(reply))) {
    const { error, fault } = unexpectedReply('no event stream', server.name);
    reportAnswer(permit, fault);
    reply.body.cancel();
    throw error;
  }

  const decoder = createSseDecoder({ onEvent: take });

  function take({ data, event }: SseEvent): void {
    if (done || failure !== undefined) return;
    if (isTooDeep(data)) failure = unexpectedReply('values nested too deeply', server.name);
    else if (data.startsWith('{') && data.endsWith('}')) {
      if (event === 'error' || suspect.test(data)) failure = inspect(data, event === 'error');
      if (failure === undefined) ready.push(data);
    } else if (data === DONE) done = true;
    else if (data.trim() !== '') failure = unexpectedReply('a frame that is no JSON object', server.name);
  }

  /** The error that a chunk is; otherwise takes note of the choices that it ends. */
  function inspect(data: string, isError: boolean): ErrorAnswer | undefined {
    const chunk = parseJson(data);
    const fields = errorFields(chunk) ?? (isError ? {} : undefined);
    if (fields !== undefined) return errorInReply(fields, server);
    if (isRecord(chunk) && isFinished(chunk)) {
      hasFinished = true;
      done = endsWhenFinished;
    }
    return undefined;
  }

  function decode(chunks: readonly Buffer[]): void {
    const [only] = chunks;
    try {
      // Decoding has a price for each call: at a hundred chunks a read, one copy of them takes half of it off.
      decoder.push(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    } catch {
      failure ??= unexpectedReply('an event that is too large', server.name);
    }
  }

  function atEnd(): void {
    decode([closing]);
    if (done || failure !== undefined) return;
    if (hasFinished) done = true;
    else {
      const cause = new Error(`${server.name}: the reply ended without [DONE]`);
      failure = { error: streamInterrupted(server.name, cause), fault: 'stream ended early' };
    }
  }

  function finish(report: () => void): void {
    if (over) return;
    over = true;
    report();
    if (done) reply.body.release();
    else reply.body.cancel();
  }

  async function next(): Promise<IteratorResult<readonly string[], undefined>> {
    while (!over) {
      if (ready.length > 0) {
        const value = ready;
        ready = [];
        return { done: false, value };
      }
      if (failure !== undefined) {
        const { error, fault } = failure;
        finish(() => reportAnswer(permit, fault));
        throw error;
      }
      if (done) {
        finish(permit.succeeded);
        break;
      }
      try {
        const more = reply.body.ready();
        if (typeof more === 'boolean' ? more : await more) decode(reply.body.take());
        else atEnd();
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
    refuse(why) {
      const { error, fault } = unexpectedReply(why, server.name);
      finish(() => reportAnswer(permit, fault));
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
