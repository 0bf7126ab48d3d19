import { createRequire } from 'node:module';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { delta, finish, hello, helloWhole } from '../test/chunks.ts';
import { json, sendAll, serve } from '../test/server.ts';
import type { Handler } from '../test/server.ts';

/** The modules that the examples import are dependencies of the schema package, not of this one. */
const zod = createRequire(new URL('../../schema/package.json', import.meta.url)).resolve('zod');

const messageOf = (message: object, finish_reason = 'stop'): unknown => ({
  ...helloWhole,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, ...message },
      logprobs: null,
      finish_reason,
    },
  ],
});
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"location":"Paris"}' } };
const booking = '{"city":"Rome","nights":3}';

/** The responses to the requests that the examples send. */
const answerOf: Handler = (response, { body }) => {
  const text = JSON.stringify(body);
  const streamed = text.includes('"stream":true');
  if (text.includes('booking') && streamed) sendAll(response, [delta({ content: booking }), finish()]);
  else if (text.includes('booking')) json(response, messageOf({ content: booking }));
  else if (text.includes('"role":"tool"')) json(response, messageOf({ content: 'It is 18 degrees.' }));
  else if (text.includes('get_weather')) json(response, messageOf({ tool_calls: [call] }, 'tool_calls'));
  else if (streamed) sendAll(response, hello);
  else json(response, helloWhole);
};

test.each([
  ['of the client', 0, 'Hello there\nHello there\n7 tokens\n'],
  ['of schemas', 1, 'Rome 4\nRome\n'],
  ['of tools', 2, 'calls get_weather\n2 It is 18 degrees.\n'],
  ['of parts and partial JSON', 3, "{ city: 'Ro' }\nimage_url file input_audio\n"],
])('the example %s runs and prints the documented output', async (_, index, printed) => {
  const { baseURL } = await serve(answerOf);
  const replace: Record<string, string> = index === 1 || index === 2 ? { "'zod'": JSON.stringify(zod) } : {};
  const { stdout } = await runReadmeExample(import.meta.url, { index, replace, ...(index < 3 && { baseURL }) });
  expect(stdout).toBe(printed);
});
