import { describe, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, rejection, relayStream, relayWhole } from '../../test/engine-request.ts';
import { chunk, startEventStream, frames } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';
import { isTooDeep, replaceNonFinite } from './json.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('accepts values nested up to 512 levels', () => {
  expect(isTooDeep(nested(512))).toBe(false);
  expect(isTooDeep(nested(513))).toBe(true);
  expect(isTooDeep('{"":'.repeat(513) + '1' + '}'.repeat(513))).toBe(true);
});

test('ignores brackets in strings and counts siblings once', () => {
  expect(isTooDeep(JSON.stringify([nested(1_000), '\\', '"', `\\"${nested(1_000)}\\\\`, nested(1_000)]))).toBe(false);
  expect(isTooDeep(JSON.stringify(Array.from({ length: 2_000 }, () => [{}])))).toBe(false);
});

test('detects deep nesting after any string', () => {
  const alphabet = ['\\', '"', '[', ']'];
  const texts = [''];
  for (const text of texts) if (text.length < 4) texts.push(...alphabet.map((character) => text + character));
  const undetected = texts.filter((text) => {
    const within = (levels: number): string => `[${JSON.stringify(text)},${nested(levels - 1)}]`;
    return isTooDeep(within(512)) || !isTooDeep(within(513));
  });
  expect(texts).toHaveLength(341);
  expect(undetected).toEqual([]);
});

test.each(['', '"', '["', '\\'.repeat(2_000), '"' + '\\'.repeat(2_000)])('returns false for invalid JSON', (text) => {
  expect(isTooDeep(text)).toBe(false);
});

test('replaces NaN after a string with escaped quotes in several steps', () => {
  const string = JSON.stringify('"'.repeat(30_000));
  const replacing = replaceNonFinite(`[${string},NaN]`);
  const steps = [replacing.next(), replacing.next(), replacing.next()];
  expect(steps).toEqual(steps.map(() => ({ done: false, value: undefined })));
  expect(replacing.next()).toEqual({ done: true, value: `[${string},null]` });
});

test.each(['["NaN"', '{"a":1', 'xNaN'])('has nothing to replace in %s', (text) => {
  expect(replaceNonFinite(text).next()).toEqual({ done: true, value: undefined });
});

describe('a reply nested 20,000 levels deep', () => {
  let engine: ChatEngine;
  const deep = `{"choices":[{"index":0,"message":{},"delta":{"deep":${nested(20_000)}}}]}`;

  async function start(isStreamed: boolean): Promise<void> {
    ({ engine } = await startUpstream((response) => {
      if (isStreamed) startEventStream(response).end(frames(chunk({ content: 'a' }), deep, '[DONE]'));
      else response.writeHead(200, { 'content-type': 'application/json' }).end(deep);
    }));
  }
  const unexpected = { status: 502, code: 'upstream_error' };

  test('is a 502 if it is not streamed', async () => {
    await start(false);
    expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject(unexpected);
  });

  test('fails a stream after the previous events', async () => {
    await start(true);
    const { payloads, error } = await drain(await relayStream(engine, engineRequest({ stream: true })));
    expect(payloads).toEqual([chunk({ content: 'a' })]);
    expect(error).toMatchObject(unexpected);
  });

  test('fails generated events', async () => {
    await start(true);
    expect(await rejection(collectEvents(engine, engineRequest()))).toMatchObject(unexpected);
  });
});
