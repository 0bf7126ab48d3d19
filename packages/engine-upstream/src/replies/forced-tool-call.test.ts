import { expect, test } from 'vitest';
import type { ChatEngine, ChatEvent, ChatRequest } from '@modelwire/ports';
import { engineRequest, collectEvents } from '../../test/engine-request.ts';
import { chunk, startEventStream, frames } from '../../test/fake-server.ts';
import type { FakeServer } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';
import type { UpstreamPreset } from '../presets/presets.ts';

let fake: FakeServer;
let engine: ChatEngine;

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { type: 'function', function: { name: 'weather', description: 'Of a city.', parameters } } as const;
const ping = { type: 'function', function: { name: 'ping' } } as const;
const text = (content: string): string => chunk({ content });
const done = chunk({}, 'stop');

async function call(
  request: Partial<ChatRequest>,
  payloads: readonly string[],
  preset: UpstreamPreset = 'llama.cpp',
): Promise<ChatEvent[]> {
  ({ fake, engine } = await startUpstream((response) => startEventStream(response).end(frames(...payloads, '[DONE]')), {
    preset,
  }));
  return await collectEvents(engine, engineRequest({}, undefined, request));
}

const sent = () => fake.requests[0]!.body;
const inputOf = (all: readonly ChatEvent[]): string =>
  all.flatMap((event) => (event.type === 'tool_input' ? [event.text] : [])).join('');

test('requests a named function from llama.cpp as JSON in the schema of its parameters, and streams the arguments', async () => {
  const tool_choice = { type: 'function', function: { name: 'weather' } } as const;
  const all = await call({ tools: [weather, ping], tool_choice }, [text(' {"city"'), text(':\n"Oslo"}'), done]);
  expect(sent()).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { schema: parameters } },
    messages: [{ role: 'system', content: expect.stringContaining('"weather"') as string }, { role: 'user' }],
  });
  expect(sent()).not.toHaveProperty('tools');
  expect(sent()).not.toHaveProperty('tool_choice');
  const [first, ...rest] = all.filter(({ type }) => type !== 'meta');
  expect(first).toMatchObject({ type: 'tool_call', choice: 0, index: 0, kind: 'function', name: 'weather' });
  expect(rest.filter(({ type }) => type === 'tool_input')).toHaveLength(2);
  expect(inputOf(all)).toBe('{"city":\n"Oslo"}');
  expect(all.at(-1)).toEqual({ type: 'finish', choice: 0, reason: 'tool_calls' });
});

test('requests the name and arguments of one of several functions', async () => {
  const pieces = ['{"na', 'me": "weather", "argum', 'ents": {"city": {"a":', '{}}', '}', ' }\n'];
  const all = await call({ tools: [weather, ping], tool_choice: 'required' }, [...pieces.map(text), done]);
  expect(sent()).toMatchObject({
    response_format: {
      json_schema: {
        schema: {
          $defs: { call_0: parameters, call_1: { type: 'object', properties: {}, additionalProperties: false } },
          anyOf: [
            { properties: { name: { const: 'weather' }, arguments: { $ref: '#/$defs/call_0' } } },
            { properties: { name: { const: 'ping' }, arguments: { $ref: '#/$defs/call_1' } } },
          ],
        },
      },
    },
  });
  expect(all.find(({ type }) => type === 'tool_call')).toMatchObject({ name: 'weather' });
  expect(JSON.parse(inputOf(all))).toEqual({ city: { a: {} } });
});

test('rebases references in the parameters of a function to its definition', async () => {
  const tree = { $ref: '#/$defs/node', $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } } };
  const walk = { type: 'function', function: { name: 'walk', parameters: tree } } as const;
  await call({ tools: [walk, ping], tool_choice: 'required' }, [text('{"name":"ping","arguments":{}}'), done]);
  expect(sent()).toMatchObject({
    response_format: {
      json_schema: {
        schema: {
          $defs: {
            call_0: {
              $ref: '#/$defs/call_0/$defs/node',
              $defs: { node: { properties: { next: { $ref: '#/$defs/call_0/$defs/node' } } } },
            },
          },
        },
      },
    },
  });
});

test('ends a truncated call with finish_reason length', async () => {
  const all = await call({ tools: [weather], tool_choice: 'required' }, [text('{"city": "Os'), chunk({}, 'length')]);
  expect(inputOf(all)).toBe('{"city": "Os');
  expect(all.at(-1)).toEqual({ type: 'finish', choice: 0, reason: 'length' });
});

test.each([['Sure!'], ['{"city": "Os'], [' ']])('throws for a reply that is not the call: %j', async (content) => {
  const reply = call({ tools: [weather], tool_choice: 'required' }, [text(content), done]);
  await expect(reply).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
});

test('sends tools to other servers, and with tool_choice auto', async () => {
  const tools = [weather];
  await call({ tools, tool_choice: 'auto' }, [text('It rains.'), done], 'sglang');
  expect(sent()).toMatchObject({ tools });
  expect(sent()).not.toHaveProperty('response_format');
  await fake.close();
  await engine.close?.();
  await call({ tools, tool_choice: 'required' }, [text('It rains.'), done], 'vllm');
  expect(sent()).toMatchObject({ tools, tool_choice: 'required' });
});
