import { createMemoryLimiter } from '../../limits/memory-limiter.ts';
import { expect, test } from 'vitest';
import { createModelFinder, readUntilModel, replayBody } from './request-body.ts';

async function* arriving(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test('a long beginning of a body is passed on in pieces, with a turn of the event loop after each', async () => {
  const text = `{"documents":["${'a"'.repeat(150_000).replaceAll('"', '\\"')}"],"model":"small","query":"b"}`;
  const find = createModelFinder((name) => (name === 'content-type' ? 'application/json' : null));
  if (!find) throw new Error('no model can be found');
  const memory = createMemoryLimiter(2 ** 30).reserve();
  const body = await readUntilModel(arriving(text), find, { maxBytes: 2 ** 20, memory });
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  let received = '';
  let pieces = 0;
  for await (const piece of replayBody(body, 'large', memory)) {
    received += Buffer.from(piece).toString();
    pieces++;
  }
  clearImmediate(next);
  expect(received).toBe(text.replace('"small"', '"large"'));
  expect(pieces).toBeGreaterThan(text.length / (64 * 1024));
  expect(turns).toBeGreaterThanOrEqual(6);
});
