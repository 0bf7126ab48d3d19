import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { numberAt, textAt } from '../../exchange/value.ts';
import { parseEvents } from '../../exchange/events.ts';
import { isSuccess, NoResponseError } from '../../exchange/response.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import type { Call } from '../../exchange/call.ts';
import type { RunContext } from '../../context/run-context.ts';
import { assertConforms, Skip, Violation } from '../../verdict.ts';
import { chatCall } from './send.ts';

const CREATE = 'chat.completions.create';

const SLOW_READER_PAUSE_MS = 2000;
const longStream = {
  messages: [{ role: 'user', content: 'Tell me at length about rivers.' }],
  max_completion_tokens: 300,
  stream: true,
};

/** Caching begins at 1,024 tokens. */
const longPrompt = 'The river passes the old mill, the bridge and the last houses of the town. '.repeat(100);
const REPEATS = 4;

/** A shorter stream ends before a leaving client can make a difference. */
const MIN_STREAM_MS = 1000;
const LEAVING_CLIENTS = 4;
const ROUNDS = 2;

/** What clients do with their connections, and what repeated prompts gain. */
export const connectionChecks: readonly Check[] = [
  check(CREATE, 'stream.slow-reader', {
    title: `A client that stops reading for ${SLOW_READER_PAUSE_MS / 1000} seconds receives the whole stream`,
    section: 'companion',
    certainty: 'likely',
    weight: 1,
    async run(context) {
      const call = await chatCall(context, longStream);
      const response = await context.send({ ...call, readPauseMs: SLOW_READER_PAUSE_MS }).catch(throwIfBroken);
      if (!isSuccess(response)) throw new Skip(`a stream returns ${response.status}`);
      const reasons = parseEvents(response).chunks.map(({ json }) => textAt(json, 'choices', 0, 'finish_reason'));
      assertConforms(response, reasons.some(Boolean), 'The stream ends without a finish_reason.');
    },
  }),
  check(CREATE, 'stream.abort', {
    title: 'A stream that its client leaves stops taking time from other requests',
    section: 'companion',
    certainty: 'likely',
    destructive: true,
    run: skipWithoutResponse(async (context) => {
      const alone = await requestTime(context, { max_completion_tokens: 1 });
      const streamed = await requestTime(context, longStream);
      if (streamed.ms < MIN_STREAM_MS) throw new Skip('replies are too quick to see it');
      const allowedMs = alone.ms + streamed.ms / 2;
      let after = alone;
      for (let round = 0; round < ROUNDS; round++) {
        const call = await chatCall(context, longStream);
        await Promise.all(
          Array.from({ length: LEAVING_CLIENTS }, () => context.send({ ...call, leavesAfterFirst: true })),
        );
        after = await requestTime(context, { max_completion_tokens: 1 });
        if (after.ms <= allowedMs) return;
      }
      assertConforms(
        after.response,
        false,
        `After ${LEAVING_CLIENTS} clients left their streams, a short request takes ${after.ms} ms instead of ${alone.ms} ms.`,
        'Abort the generation when the connection closes.',
      );
    }),
  }),
  check(CREATE, 'cache.affinity', {
    title: 'Once a prompt is cached for its prompt_cache_key, its repetitions are read from the cache',
    section: 'companion',
    certainty: 'opinion',
    expectation: 'Requests with one prompt_cache_key reach the same cache: cached_tokens stays above 0.',
    weight: 1,
    // Other requests would replace the cached prompt.
    phase: 'alone',
    run: skipWithoutResponse(async (context) => {
      const call = await chatCall(context, {
        messages: [{ role: 'user', content: `${context.runId} ${longPrompt}` }],
        prompt_cache_key: context.runId,
        max_completion_tokens: 1,
      });
      const responses: CompleteResponse[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) responses.push(await context.send(call));
      if (!responses.every(isSuccess)) throw new Skip('the server rejects a long prompt with prompt_cache_key');
      const isCached = ({ json }: CompleteResponse): boolean =>
        (numberAt(json, 'usage', 'prompt_tokens_details', 'cached_tokens') ?? 0) > 0;
      const [, ...repeated] = responses;
      if (!repeated.some(isCached)) throw new Skip('no response reports cached tokens');
      const missed = repeated.find((response) => !isCached(response));
      if (missed) assertConforms(missed, false, 'A repetition was not read from the cache, although another one was.');
    }),
  }),
];

/** Skips a check whose requests a slow server does not finish in time. */
function skipWithoutResponse(run: (context: RunContext) => Promise<void>): (context: RunContext) => Promise<void> {
  return async (context) => {
    try {
      await run(context);
    } catch (error) {
      throw error instanceof NoResponseError ? new Skip(error.message) : error;
    }
  };
}

function throwIfBroken(error: unknown): never {
  throw error instanceof NoResponseError && error.isBroken ? new Violation(error.message) : error;
}

async function requestTime(context: RunContext, fields: object) {
  const call: Call = await chatCall(context, fields);
  const startedMs = performance.now();
  const response = await context.send(call);
  if (!isSuccess(response)) throw new Skip(`a request returns ${response.status}`);
  return { response, ms: Math.round(performance.now() - startedMs) };
}
