import type { LlamaContext, LlamaModel, Token } from 'node-llama-cpp';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { loadBinding, openLlama } from './backend/binding.ts';
import { createSlotPool } from './slot-pool.ts';
import type { Slot, SlotPool } from './slot-pool.ts';
import { tinyFile } from './testing/serve-tiny.ts';

let model: LlamaModel;
let context: LlamaContext;
let pool: SlotPool;
let remove: () => Promise<void>;
beforeAll(async () => {
  const file = await tinyFile();
  remove = file.remove;
  const llama = await openLlama(await loadBinding(), false);
  model = await llama.loadModel({ modelPath: file.path });
});
afterAll(async () => {
  await model.dispose();
  await remove();
});
beforeEach(async () => {
  context = await model.createContext({ contextSize: 512, sequences: 4, threads: 1 });
  pool = createSlotPool(context, 4);
});
afterEach(() => context.dispose());

/** Acquires a sequence for a prompt, and evaluates the prompt as a reply does. */
async function start(prompt: readonly Token[], key?: string): Promise<Slot> {
  const slot = await pool.acquire(prompt, { project: 'one', key }, new AbortController().signal);
  await slot.sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(slot.cached));
  return slot;
}

const prompt = (text: string, times: number): readonly Token[] => model.tokenize(text.repeat(times));

test('concurrent replies get consecutive sequences', async () => {
  const first = await start(prompt('the sea ', 4), 'a');
  const second = await start(prompt('a boat ', 4), 'b');
  const third = await start(prompt('the rain ', 4), 'c');
  expect([first.position, second.position, third.position]).toEqual([0, 1, 2]);
  second.release();
  expect((await start(prompt('the hills ', 4), 'd')).position).toBe(1);
});

test('a prompt resumes its sequence even if another free one is adjacent to a busy one', async () => {
  const conversation = prompt('the river and the sea ', 20);
  const busy = await start(prompt('a boat ', 4), 'a');
  const other = await start(prompt('the rain ', 4), 'b');
  const third = await start(conversation, 'c');
  other.release();
  third.release();
  const { position, cached } = await start(conversation, 'c');
  expect(busy.position).toBe(0);
  expect(position).toBe(third.position);
  expect(cached).toBe(conversation.length - 1);
});

test('a recently used sequence adjacent to a busy one is not taken while older ones are free', async () => {
  const busy = await start(prompt('a boat ', 4), 'a');
  const conversation = await start(prompt('the river and the sea ', 40), 'b');
  expect(conversation.position).toBe(busy.position + 1);
  conversation.release();
  expect((await start(prompt('the rain ', 4), 'c')).position).toBe(2);
});
