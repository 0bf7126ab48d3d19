import { isRecord, parseJson } from '@modelwire/ports';
import { DONE, createSseDecoder } from '@modelwire/core';
import type { SseEvent } from '@modelwire/core';
import type { RequestError } from '@modelwire/ports';
import type { OpenReply, UpstreamReply } from './attempts.ts';
import { reportReply } from './circuit-breaker.ts';
import { errorFields } from './error-body.ts';
import { TransportError } from './exchange.ts';
import { errorInReply, FailedReply, streamInterrupted, transportFailure, unexpectedReply } from './failures.ts';
import type { AttemptFailure } from './failures.ts';
import { hasToken } from './first-token.ts';
import { isTooDeep, objectItems } from './json.ts';
import { mediaType } from './reply-text.ts';
import type { ServerSettings } from './settings.ts';

/** Media types, besides that of event streams, with which servers send event streams. */
const streamMediaTypes: ReadonlySet<string> = new Set([
  'text/event-stream',
  'text/plain',
  'application/octet-stream',
  '',
]);

/** Maximum number of payloads that are held back until the first token. */
const maxPendingPayloads = 32;

/** Completes the last event at the end of the body: some servers omit the last blank line. */
const eventTerminator = Buffer.from('\n\n');

export interface Payloads extends AsyncIterableIterator<readonly string[]> {
  /** The server that replied. */
  readonly server: Pick<ServerSettings, 'name' | 'preset'>;
  /** Reports an invalid reply as a failure of the server and closes the connection. Returns the error to throw. */
  rejectReply(reason: string): RequestError;
}

/**
 * The payloads of a streamed reply, in the groups in which they arrived. Only payloads that may be an error or a last chunk are parsed, and
 * those before the first token.
 *
 * Resolves with the first token. A reply of another media type, an error event, an event that is not a JSON object, a timeout and a failed
 * connection are a `FailedReply` until then, and a `RequestError` while reading. A body that ends without `[DONE]` is complete if all `choices`
 * had their `finish_reason`, as some servers do. Leaving the loop closes the connection.
 */
export function openPayloads(choices: number): OpenReply<Payloads> {
  return (upstreamReply) => {
    const finished = new Set<unknown>();
    return openEvents(upstreamReply, {
      // An expression that starts with a rare letter instead of a quote takes half the time.
      inspectPattern: /rror"|reason"\s*:\s*"/,
      hasOutput: hasToken,
      isFinished(chunk) {
        for (const choice of objectItems(chunk['choices'])) {
          if (typeof choice['finish_reason'] === 'string') finished.add(choice['index'] ?? 0);
        }
        return finished.size >= choices;
      },
    });
  };
}

/** How the end of an event stream is detected. */
interface StreamProtocol {
  /** Whether a payload has output. Until the first one, the reply is not passed on, and a failure can still be retried elsewhere. */
  readonly hasOutput: (payload: Readonly<Record<string, unknown>>) => boolean;
  /** Matches all payloads that may be an error or finish the stream. Others are not parsed. */
  readonly inspectPattern: RegExp;
  /** Called with payloads that `inspectPattern` matches. True when the reply is complete, also without `[DONE]`. */
  readonly isFinished: (payload: Readonly<Record<string, unknown>>) => boolean;
  /** Whether only `[DONE]` follows the payload that finishes the reply; it is not waited for. Default: false. */
  readonly endsWhenFinished?: boolean;
}

/** The same for other kinds of events. */
export async function openEvents(
  upstreamReply: UpstreamReply,
  { inspectPattern, hasOutput, isFinished, endsWhenFinished = false }: StreamProtocol,
): Promise<Payloads> {
  const { reply, permit, server } = upstreamReply;
  let hasFinished = false;
  let pending: string[] = [];
  let failure: AttemptFailure | undefined;
  /** Whether a payload has output, or so many have not that waiting for one is pointless. */
  let hasStarted = false;
  let isDone = false;
  let hasEnded = false;
  if (!streamMediaTypes.has(mediaType(reply))) {
    const unexpected = unexpectedReply('no event stream', server.name);
    reportReply(permit, unexpected.fault);
    reply.body.cancel();
    throw new FailedReply(unexpected);
  }

  const decoder = createSseDecoder({ onEvent });

  function onEvent({ data, event }: SseEvent): void {
    if (isDone || failure !== undefined) return;
    if (isTooDeep(data)) failure = unexpectedReply('values nested too deeply', server.name);
    else if (data.startsWith('{') && data.endsWith('}')) {
      if (event === 'error' || inspectPattern.test(data)) failure = inspectPayload(data, event === 'error');
      if (failure !== undefined) return;
      pending.push(data);
      if (!hasStarted) hasStarted = pending.length >= maxPendingPayloads || startsOutput(data);
    } else if (data === DONE) isDone = true;
    else if (data.trim() !== '') failure = unexpectedReply('a frame that is no JSON object', server.name);
  }

  function startsOutput(data: string): boolean {
    const payload = parseJson(data);
    return isRecord(payload) && hasOutput(payload);
  }

  /** Returns the error in a chunk; otherwise records the choices that it finishes. */
  function inspectPayload(data: string, isError: boolean): AttemptFailure | undefined {
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
      failure = { error: streamInterrupted(server.name, cause), fault: 'stream ended early', retry: 'elsewhere' };
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
      else onBodyEnd();
    } catch (thrown) {
      if (!(thrown instanceof TransportError)) {
        finish(permit.released);
        throw thrown;
      }
      failure ??= transportFailure(thrown, server.name);
    }
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

  const payloads: Payloads = {
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
