import { describe, expect, test } from 'vitest';
import type { ChatEngine, RequestError } from '@modelwire/ports';
import { engineRequest, drainStream, rejection, relayWhole } from '../../test/engine-request.ts';
import { startEventStream, frames, json } from '../../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';
import { containsSecret, extractSecrets, redact } from './secrets.ts';

const apiKey = 'sk-very-secret';
const headers = {
  'X-Api-Key': 'abc',
  'x-customer': 'customer-4711',
  'x-team': 'a',
};
let fake: FakeServer;
let engine: ChatEngine;

async function start(handler: RequestHandler): Promise<void> {
  ({ fake, engine } = await startUpstream(handler, { apiKey, headers }, { retries: 0 }));
}

async function failWith(error: object): Promise<RequestError> {
  await start((response) => json(response, 400, { error }));
  return await rejection(relayWhole(engine, engineRequest()));
}

describe('an error message of an upstream', () => {
  const echo = `Bearer ${apiKey} abc customer-4711 a`;
  const redacted = 'Bearer [redacted] [redacted] [redacted] a';

  test('contains no configured secret in any field', async () => {
    expect(await failWith({ message: echo, type: echo, param: echo, code: apiKey })).toMatchObject({
      message: redacted,
      type: redacted,
      param: redacted,
      code: 'invalid_request',
    });
  });

  test('contains none in a reply of status 200', async () => {
    await start((response) => json(response, 200, { error: { message: echo, type: apiKey } }));
    const error = await rejection(relayWhole(engine, engineRequest()));
    expect(error).toMatchObject({ message: redacted, type: '[redacted]' });
  });

  test('contains none in a frame of a stream', async () => {
    await start((response) =>
      startEventStream(response).end(frames(JSON.stringify({ error: { message: echo, param: echo } }))),
    );
    const { error } = await drainStream(engine, engineRequest({ stream: true }));
    expect(error).toMatchObject({ message: redacted, param: redacted });
  });

  test('is limited to 2,000 characters, and other fields to 100', async () => {
    const long = 'é'.repeat(1_999);
    expect(
      await failWith({
        message: `${long}é`,
        type: long.slice(0, 100),
        param: long.slice(0, 100),
      }),
    ).toMatchObject({
      message: `${long}é`,
      type: long.slice(0, 100),
      param: long.slice(0, 100),
    });
    await fake.close();
    expect(await failWith({ message: `${long}éé`, type: long, param: long })).toMatchObject({
      message: `${long}…`,
      type: `${long.slice(0, 99)}…`,
      param: `${long.slice(0, 99)}…`,
    });
  });

  test.each([
    ['invalid_value', 'invalid_value'],
    ['E.40-1', 'E.40-1'],
    ['x'.repeat(65), 'invalid_request'],
    ['two words', 'invalid_request'],
    ['<b>', 'invalid_request'],
  ])('has a code only if it is well-formed: %s', async (code, shown) => {
    expect(await failWith({ message: 'No.', code })).toMatchObject({
      message: 'No.',
      code: shown,
    });
  });
});

test.each([
  ['Incorrect API key provided: sk-proj-abcd****wxyz.', 'Incorrect API key provided: [redacted]'],
  ['sent Authorization: Bearer abcdefgh.ijkl', 'sent Authorization: Bearer [redacted]'],
  ['POST https://user:secret@10.0.0.1/v1 failed', 'POST https://[redacted]@10.0.0.1/v1 failed'],
  ['GET http://x/v1?key=AIzaSyD1234567890&alt=sse', 'GET http://x/v1?key=[redacted]&alt=sse'],
  ['the task-force asked for sk-learn at risk-free rates', 'the task-force asked for sk-learn at risk-free rates'],
])('redacts keys of others by their form: %s', (text, shown) => {
  expect(redact(text, [])).toBe(shown);
});

test.each([
  ['authorization', 'Bearer k', ['k']],
  ['authorization', `Basic ${btoa('user:pass')}`, [btoa('user:pass'), 'user:pass', 'pass']],
  ['cookie', 'session=0123456789; a=b', ['session=0123456789; a=b', 'session=0123456789', '0123456789']],
  ['x-api-key', 'two parts-of-a-key', ['parts-of-a-key']],
  ['x-team', 'a', []],
  ['x-tenant', 'tenant-1', ['tenant-1']],
  ['x-token', '  ', []],
])('extracts the secrets of %s: %s', (name, value, secrets) => {
  expect(extractSecrets([name, value])).toEqual(secrets);
});

test.each([
  ['itself', 'Bearer UPSTREAM+SECRET/1'],
  ['in another case', 'upstream+secret/1'],
  ['encoded for URLs', 'key=UPSTREAM%2BSECRET%2F1'],
  ['in base64', `Basic ${btoa('user:UPSTREAM+SECRET/1')}`],
  ['in base64, one byte later', btoa('users:UPSTREAM+SECRET/1!')],
  ['in base64, two bytes later', btoa(':UPSTREAM+SECRET/1')],
  ['a short one as a word', 'token=short; a'],
])('a header contains a secret: %s', (_, value) => {
  expect(containsSecret(value, ['UPSTREAM+SECRET/1', 'short'])).toBe(true);
});

test.each(['', 'application/json', 'shorter', 'UPSTREAM SECRET'])('the header %j contains none', (value) => {
  expect(containsSecret(value, ['UPSTREAM+SECRET/1', 'short'])).toBe(false);
});
