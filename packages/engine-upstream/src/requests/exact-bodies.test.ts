import { createServer } from '@modelwire/server';
import { describe, expect, test } from 'vitest';
import { chunk, completion, frames, json, startEventStream } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';

async function serve() {
  const { fake, engine } = await startUpstream(
    (response, { body }) =>
      body['stream'] === true
        ? startEventStream(response).end(frames(chunk({ content: '{}' }), chunk({}, 'stop'), '[DONE]'))
        : json(response, 200, completion),
    // The schema has numbers that only some engines can enforce.
    { structuredOutputs: 'native' },
  );
  const server = createServer({ engines: [engine], keys: 'open' });
  const post = (path: string, body: string) =>
    server.fetch(
      new Request(`http://localhost${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    );
  return { fake, post };
}

const schema =
  '{"type":"object","properties":{"z":{"const":9007199254740993},"10":{"maximum":18446744073709551615},"2":{"enum":[-0,0.1234567890123456789,1e-400]}},"required":["z","10","2"]}';
const messages = '"messages":[{"role":"user","content":"Hi"}]';

describe('an upstream receives as they were written', () => {
  test.each<[what: string, path: string, body: string]>([
    [
      'the schema of an output',
      '/v1/chat/completions',
      `{"model":"m",${messages},"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":${schema}}}}`,
    ],
    [
      'the parameters of a tool',
      '/v1/chat/completions',
      `{"model":"m",${messages},"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`,
    ],
    [
      'the parameters of a tool of a request for a response',
      '/v1/responses',
      `{"model":"m","input":"Hi","store":false,"tools":[{"type":"function","name":"f","strict":false,"parameters":${schema}}]}`,
    ],
    [
      'the schema beside a number that is rounded',
      '/v1/chat/completions',
      `{"model":"m",${messages},"temperature":0.70000000000000000001,"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`,
    ],
  ])('%s', async (what, path, body) => {
    const { fake, post } = await serve();
    await post(path, body);
    expect(fake.requests).toHaveLength(1);
    const { text } = fake.requests[0]!;
    if (what.includes('rounded')) expect(text).toContain('"temperature":0.7,');
    else expect(text).toContain(schema);
  });

  test.each([
    ['{"const":1e400}', 'tools[0].function.parameters.const'],
    ['{"a":1,"b":2,"a":3}', 'tools[0].function.parameters.a'],
  ])('or the client gets a 400 that names the place: %s', async (parameters, param) => {
    const { fake, post } = await serve();
    const tools = `[{"type":"function","function":{"name":"f","parameters":${parameters}}}]`;
    const response = await post('/v1/chat/completions', `{"model":"m",${messages},"tools":${tools}}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
    expect(fake.requests).toHaveLength(0);
  });
});
