import type { RequestStats, UsageIncrement } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import type { RequestLogEntry } from '../../request-log.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says } from '../../testing/scripted-engine.ts';
import type { Script } from '../../testing/serve-batches.ts';
import { lines, serve } from '../../testing/serve-batches.ts';

/** Runs a batch of one line to its end, and returns what was counted for it. */
async function countedFor(script: Script) {
  const counted = { usageRequests: 0, requests: 0, errors: 0 };
  const memory = memoryWork();
  const stores: typeof memory.stores = {
    ...memory.stores,
    usage: {
      ...memory.stores.usage,
      async add(increments: readonly UsageIncrement[]) {
        for (const { requests } of increments) counted.usageRequests += requests;
      },
    },
    requestStats: {
      async add(stats: readonly RequestStats[]) {
        for (const { requests, errors } of stats) {
          counted.requests += requests;
          counted.errors += errors;
        }
      },
      read: async () => [],
      addDurations: async () => undefined,
      readDurations: async () => [],
      addMinutes: async () => undefined,
      readMinutes: async () => [],
    },
  };
  const work = { ...memory, stores };
  const { server, create, until, engine } = await serve({ work, script });
  const { id } = await create(work.input(lines(1)));
  await until(id, 'completed');
  // Writes what is counted.
  await server.close();
  return { counted, attempts: engine.asked.length };
}

test('attempts of a batch line that are repeated are neither requests nor errors in the usage', async () => {
  let attempts = 0;
  const run = await countedFor(() => {
    if (++attempts < 4) throw new RequestError('busy', { status: 503 });
    return says('Hi');
  });
  expect(run).toEqual({ counted: { usageRequests: 1, requests: 1, errors: 0 }, attempts: 4 });
});

test('a batch line whose last attempt fails is one request and one error', async () => {
  const { counted, attempts } = await countedFor(() => {
    throw new Error('broken');
  });
  expect(attempts).toBe(3);
  expect(counted).toMatchObject({ requests: 1, errors: 1 });
});

test('a batch line whose reply is invalid is repaired, and all its attempts are in the usage', async () => {
  const log: RequestLogEntry[] = [];
  const work = memoryWork();
  const replies = [says('{"n":', '"x"}'), says('1}')];
  const { create, until } = await serve({
    ...{ work, log: (entry) => log.push(entry) },
    script: () => replies.shift() ?? [],
    can: { parameters: { response_format: 'native' } },
  });
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'one', schema } };
  const { id } = await create(work.input(lines(1, { response_format })));
  const { usage, output_file_id } = await until(id, 'completed');
  expect(usage).toMatchObject({ input_tokens: 6, output_tokens: 3 });
  expect(work.linesOf(output_file_id)).toMatchObject([
    { response: { body: { choices: [{ message: { content: '{"n":1}' } }], usage: { total_tokens: 9 } } } },
  ]);
  expect(log.filter(({ batch }) => batch === id)).toMatchObject([{ outputAttempts: 2, outputSteps: ['continued'] }]);
});
