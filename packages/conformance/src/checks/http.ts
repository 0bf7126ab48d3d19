import { errorBodySchema } from '@modelwire/schema/internal';
import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import { mediaType } from '../exchange/response.ts';
import { parseEvents } from '../exchange/events.ts';
import { hasKey } from '../exchange/value.ts';
import { helloMessages } from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { assertErrorShape, assertUnknownPath } from './shape.ts';
import { assertConforms, assertStatus, Skip, Violation } from '../verdict.ts';

const http = (name: string, init: Omit<CheckInit, 'section' | 'certainty'> & Partial<CheckInit>): Check =>
  check('http', name, { section: 'companion', certainty: 'likely', ...init });

/** A check of what the other checks of the run observed. */
const statsCheck = (
  name: string,
  { judge, ...init }: Omit<Parameters<typeof http>[1], 'run'> & { judge(stats: RunContext['stats']): void },
): Check => http(name, { ...init, phase: 'observations', run: async ({ stats }) => judge(stats) });

const BURST_SIZE = 200;
const BURST_CONCURRENCY = 20;

/** The errors of the run, which the checks that run last look at. */
function rejectedOf({ clientErrors }: RunContext['stats']): RunContext['stats']['clientErrors'] {
  if (clientErrors.length === 0) throw new Skip('no request was rejected');
  return clientErrors;
}

/** Throws a `Violation` unless the response has a status below 500. */
async function assertNoServerError(context: RunContext, name: string, content: string | Blob): Promise<void> {
  const response = await context.sendOnce(`http ${name}`, () => ({
    method: 'POST',
    path: '/chat/completions',
    raw: { content, type: 'application/json' },
  }));
  assertConforms(response, response.status < 500, `The response has status ${response.status}: the server failed.`);
  if (response.status >= 400) assertErrorShape(response);
}

/** Rules for all requests. */
export const httpChecks: readonly Check[] = [
  http('unknown-path', {
    title: 'Returns 404 as JSON for an unknown path',
    weight: 2,
    run: (context) => assertUnknownPath(context, 'GET', '/modelwire-conformance'),
  }),
  http('unknown-path.post', {
    title: 'Returns 404 as JSON for a body that is sent to an unknown path',
    weight: 1,
    run: (context) => assertUnknownPath(context, 'POST', '/modelwire-conformance'),
  }),
  http('scheme', {
    title: 'Rejects a key that is not sent as Bearer with 401',
    section: 'Authentication',
    weight: 1,
    async run(context) {
      const { apiKey } = context.settings;
      if (apiKey === undefined) throw new Skip('this run has no key');
      const authorization = `Basic ${btoa('conformance:conformance')}`;
      const response = await context.send({ method: 'GET', path: '/models', authorization });
      assertStatus(response, 401);
    },
  }),
  http('deep', {
    title: 'A body nested ten thousand levels deep does not break the server',
    certainty: 'opinion',
    weight: 1,
    run: (context) => assertNoServerError(context, 'deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  }),
  http('utf-8', {
    title: 'A body that is not valid UTF-8 does not break the server',
    certainty: 'opinion',
    weight: 1,
    run: (context) =>
      assertNoServerError(
        context,
        'utf-8',
        new Blob([new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])]),
      ),
  }),
  http('proto', {
    title: 'A body with a field __proto__ does not break the server',
    certainty: 'opinion',
    weight: 1,
    run: (context) => assertNoServerError(context, 'proto', '{"__proto__": {"model": "x"}, "messages": []}'),
  }),
  http('large', {
    title: 'Rejects a body of 100 MB with 413',
    destructive: true,
    weight: 1,
    needs: ['chat.completions.create'],
    async run(context) {
      const piece = 'x'.repeat(1024 ** 2);
      const head = `{"model": ${JSON.stringify(await context.chatModel())}, "messages": [{"role": "user", "content": "`;
      const content = new Blob([head, ...Array.from({ length: 100 }, () => piece), '"}]}']);
      const response = await context.send({
        method: 'POST',
        path: '/chat/completions',
        raw: { content, type: 'application/json' },
      });
      assertStatus(response, 413, 400);
      assertErrorShape(response);
    },
  }),
  http('burst', {
    title: `Of ${BURST_SIZE} requests, ${BURST_CONCURRENCY} concurrent, all are served or some get a 429 with retry-after`,
    destructive: true,
    weight: 1,
    needs: ['chat.completions.create'],
    async run(context) {
      const body = { model: await context.chatModel(), messages: helloMessages };
      for (let sent = 0; sent < BURST_SIZE; sent += BURST_CONCURRENCY) {
        const responses = await Promise.all(
          Array.from({ length: BURST_CONCURRENCY }, () =>
            context.send({ method: 'POST', path: '/chat/completions', body }),
          ),
        );
        const broken = responses.find(({ status }) => status >= 500 && status !== 503);
        if (broken) assertConforms(broken, false, `One returns ${broken.status}.`);
      }
    },
  }),
  statsCheck('request-ids', {
    title: 'No two responses have the same x-request-id',
    weight: 2,
    judge({ requestIds, repeatedRequestId: repeated }) {
      if (requestIds.size === 0) throw new Violation('No response has one.');
      if (repeated) assertConforms(repeated, false, `${String(repeated.headers.get('x-request-id'))} came twice.`);
    },
  }),
  statsCheck('error-shape', {
    title: 'Every error of this run had the documented shape',
    expectation: 'Errors are {"error": {message, type, param, code}}, as JSON.',
    weight: 3,
    judge(stats) {
      for (const response of rejectedOf(stats)) assertErrorShape(response);
    },
  }),
  statsCheck('error-request-id', {
    title: 'Errors have an x-request-id too',
    weight: 1,
    judge(stats) {
      const withoutId = rejectedOf(stats).find(({ headers }) => (headers.get('x-request-id') ?? '') === '');
      if (withoutId) assertConforms(withoutId, false, 'One has none.');
    },
  }),
  statsCheck('no-failure', {
    title: 'No request of this run made the server fail',
    weight: 3,
    judge({ serverErrors: errors }) {
      const [first] = errors;
      if (first) assertConforms(first, false, `${errors.length} or more responses are 5xx, the first ${first.status}.`);
    },
  }),
  statsCheck('rate-limit', {
    title: 'A 429 has the documented error shape and retry-after',
    weight: 2,
    judge({ rateLimited: [first] }) {
      if (!first) throw new Skip('no rate limit was reached');
      assertErrorShape(first);
      const after = Number(first.headers.get('retry-after') ?? NaN);
      assertConforms(first, Number.isFinite(after) && after >= 0, 'It has no retry-after in seconds.');
    },
  }),
  statsCheck('rate-limit-headers', {
    title: 'x-ratelimit-remaining is never negative, nor above its limit, also for concurrent requests',
    weight: 1,
    judge({ limited, impossibleLimit: impossible }) {
      if (!limited) throw new Skip('no response has x-ratelimit-remaining');
      if (impossible) assertConforms(impossible, false, 'It is not an integer from 0 to the limit.');
    },
  }),
  statsCheck('error-frames', {
    title: 'An error within a stream is an event {"error": …}, the last before [DONE]',
    section: 'Events',
    judge({ brokenStream: response }) {
      if (!response) throw new Skip('no stream of this run failed');
      const { chunks } = parseEvents(response);
      const at = chunks.findIndex(({ json }) => hasKey(json, 'error'));
      assertConforms(response, mediaType(response) === 'text/event-stream', 'The response is not a stream.');
      assertConforms(
        response,
        errorBodySchema.safeParse(chunks[at]?.json).success,
        'The event does not have the documented error shape.',
      );
      assertConforms(response, at === chunks.length - 1, 'The stream continues after its error.');
    },
  }),
];
