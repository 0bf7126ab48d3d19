import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../testing/process.ts';
import { key } from '../testing/test-server.ts';

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
/** Each definition refers to the next one twice: a billion schemas in 2 KB. */
const doubling = (keyword: string) => ({
  type: 'object',
  $defs: Object.fromEntries(
    Array.from({ length: 31 }, (_, i): [string, object] => [
      `a${i}`,
      i === 30 ? { type: 'string' } : { [keyword]: [ref(`a${i + 1}`), ref(`a${i + 1}`)] },
    ]),
  ),
  properties: { value: ref('a0') },
});
const self = { allOf: [{ $ref: '#' }] };
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

const chat = (more: object) => ({
  url: '/v1/chat/completions',
  body: { model: 'simulator', messages: [{ role: 'user', content: 'Use the tool f, in JSON.' }], ...more },
});
const format = (schema: object) =>
  chat({ response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } });
const tool = (parameters: object) => chat({ tools: [{ type: 'function', function: { name: 'f', parameters } }] });
const grammarTool = (syntax: 'lark' | 'regex', definition: string) =>
  chat({
    tools: [{ type: 'custom', custom: { name: 'f', format: { type: 'grammar', grammar: { syntax, definition } } } }],
  });

const schemaParam = 'response_format.json_schema.schema';
const toolParam = 'tools[0].function.parameters';
const grammarParam = 'tools[0].custom.format.grammar.definition';

const hostile = [
  ['a schema that doubles at each of 30 levels', format(doubling('allOf')), schemaParam, 'invalid_json_schema'],
  ['one of alternatives', format(doubling('anyOf')), schemaParam, 'invalid_json_schema'],
  ['parameters that double at each of 30 levels', tool(doubling('allOf')), toolParam, 'invalid_json_schema'],
  ['parameters that only refer to themselves', tool(self), toolParam, 'invalid_json_schema'],
  ['a schema that only refers to itself', format(self), schemaParam, 'invalid_json_schema'],
  ['a regular expression of 2^30 states', grammarTool('regex', '(a|b)*a(a|b){30}'), grammarParam, 'invalid_grammar'],
  [
    'a grammar of 10^12 repetitions',
    grammarTool('lark', 'start: (("a"~9999)~9999)~9999'),
    grammarParam,
    'invalid_grammar',
  ],
  [
    'two thousand tools',
    chat({ tools: Array.from({ length: 2000 }, (_, i) => ({ type: 'function', function: { name: `f${i}` } })) }),
    'tools',
    'array_above_max_length',
  ],
  [
    '20,000 messages',
    chat({ messages: Array.from({ length: 20_000 }, () => ({ role: 'user', content: 'x' })) }),
    'messages',
    'array_above_max_length',
  ],
  [
    'thousands of images to moderate',
    { url: '/v1/moderations', body: { input: Array.from({ length: 2048 }, () => image) } },
    'input',
    'array_above_max_length',
  ],
] as const;

/**
 * CPU time that one request may take without yielding. CPU time of the process, unlike a duration, hardly grows on a loaded
 * machine.
 */
const MAX_STALL_CPU_MS = 500;

interface LoggedStall {
  readonly cpuMs: number;
}

/** The event-loop stalls of 200 ms and more in the log of the server. */
function stallsIn(log: string): LoggedStall[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"the event loop was blocked"'))
    .map((line) => JSON.parse(line) as LoggedStall);
}

test('hostile requests get a 400 that names the parameter, never block the event loop, and do not prevent shutdown', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-hostile-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const server = await startProcess(cwd, { MODELWIRE_LOG_LEVEL: 'warn' });
  const ask = async ({ url, body }: { readonly url: string; readonly body: object }) => {
    const response = await fetch(`${server.url}${url}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const healthy = async () => (await fetch(`${server.url}/healthz`)).status;
  const { data } = (await (
    await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  ).json()) as { data: { id: string }[] };
  const model = data.find(({ id }) => !id.includes('moderation'))?.id;
  const named = (request: { readonly url: string; readonly body: object }) => ({
    ...request,
    body: 'model' in request.body ? { ...request.body, model } : request.body,
  });
  for (const [what, request, param, code] of hostile) {
    const [answered, health] = await Promise.all([ask(named(request)), healthy()]);
    expect({ what, ...answered }).toMatchObject({
      what,
      status: 400,
      body: { error: { type: 'invalid_request_error', param, code } },
    });
    expect(health).toBe(200);
  }
  // The same concurrently, from clients that disconnect.
  await Promise.all(
    hostile.map(async ([, request]) => {
      const { url, body } = named(request);
      const signal = AbortSignal.timeout(20);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      await fetch(`${server.url}${url}`, { method: 'POST', headers, body: JSON.stringify(body), signal }).catch(
        () => undefined,
      );
    }),
  );
  expect(await healthy()).toBe(200);
  server.kill('SIGTERM');
  await server.exited;
  expect(stallsIn(server.log()).filter(({ cpuMs }) => cpuMs >= MAX_STALL_CPU_MS)).toEqual([]);
}, 120_000);
