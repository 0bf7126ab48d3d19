import { compileFunction } from 'node:vm';
import { readmeExample } from '@modelwire/vitest/readme';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, relayWhole } from '../test/engine-request.ts';
import { completion, fakeServer, json } from '../test/fake-server.ts';
import type { FakeServer } from '../test/fake-server.ts';
import * as engineUpstream from './index.ts';

let hosted: FakeServer;
let engine: ChatEngine;

beforeAll(async () => {
  hosted = await fakeServer((response) => json(response, 200, completion));
  const example = await readmeExample(import.meta.url);
  const body = example
    .replace(/^import .*$/m, '')
    .replace(/http:\/\/10\.0\.0\.\d:8000/g, 'http://127.0.0.1:9')
    .replace('https://api.example.com/v1', hosted.baseURL)
    .replace('sk-…', 'sk-test');
  const run = compileFunction(`${body}; return engine;`, ['createUpstream']) as (create: unknown) => ChatEngine;
  engine = run(engineUpstream.createUpstream);
});

afterAll(async () => {
  await engine.close?.();
  await hosted.close();
});

test('the example of the README serves its model, from the fallback if the others are down', async () => {
  expect(engine.models().map(({ id }) => id)).toEqual(['small']);
  const { request, context } = engineRequest({ model: 'small' });
  const small = { request, context: { ...context, model: engine.models()[0]! } };
  expect(await relayWhole(engine, small)).toEqual(completion);
  expect(hosted.requests[0]?.body['model']).toBe('meta/small-8b');
});
