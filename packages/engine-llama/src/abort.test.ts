import { chatRequest } from '@modelwire/ports/testing';
import { capabilities } from '@modelwire/ports';
import type { ChatEvent, ChatEvents, ChatRequest, EngineContext } from '@modelwire/ports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLlama } from './llama.ts';
import type { LlamaEngine } from './llama.ts';
import { tinyFile } from './testing/serve-tiny.ts';

let engine: LlamaEngine;
let remove: () => Promise<void>;
beforeAll(async () => {
  const file = await tinyFile();
  remove = file.remove;
  engine = await createLlama({ path: file.path, gpu: false, threads: 1, sequences: 1 });
});
afterAll(async () => {
  await engine.close();
  await remove();
});

function request(content: string): ChatRequest {
  return chatRequest({
    model: 'tiny',
    messages: [{ role: 'user', content }],
    max_completion_tokens: 1000,
    temperature: 0,
    logit_bias: { '46': -100 },
  });
}

function context(signal: AbortSignal, project = 'one'): EngineContext {
  const [model] = engine.models();
  return {
    requestId: 'req_1',
    project,
    model: model ?? { id: 'tiny', created: 0, owned_by: 'me', capabilities: capabilities() },
    requestBody: { model: 'tiny', messages: [] },
    signal,
  };
}

async function collect(events: ChatEvents, stopAfter = Infinity): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) {
    all.push(...[event].flat());
    if (all.length >= stopAfter) break;
  }
  return all;
}

test('an abort ends a reply immediately and releases its sequence', async () => {
  const caller = new AbortController();
  const seen: ChatEvent[] = [];
  await expect(async () => {
    for await (const event of engine.generate(request('rivers'), context(caller.signal))) {
      seen.push(...[event].flat());
      if (seen.length >= 10) caller.abort(new Error('the client disconnected'));
    }
  }).rejects.toThrow('the client disconnected');
  expect(seen.length).toBeLessThan(15);
  const next = await collect(
    engine.generate({ ...request('rivers'), max_completion_tokens: 5 }, context(new AbortController().signal)),
  );
  expect(next.at(-2)).toMatchObject({ type: 'finish', reason: 'length' });
});

test('an abort ends prompt evaluation and the wait for a sequence', async () => {
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = collect(engine.generate(request('the boat '.repeat(300)), context(running.signal)));
  const second = collect(engine.generate(request('rain'), context(waiting.signal)));
  waiting.abort(new Error('would not wait'));
  await expect(second).rejects.toThrow('would not wait');
  running.abort(new Error('would not wait either'));
  await expect(first).rejects.toThrow('would not wait either');
  const next = await collect(
    engine.generate({ ...request('rain'), max_completion_tokens: 2 }, context(new AbortController().signal)),
  );
  expect(next.at(-1)).toMatchObject({ type: 'usage', usage: { completion_tokens: 2 } });
});

test('the cached part of a prompt whose evaluation was aborted does not change the reply', async () => {
  const prompt = { ...request('the boat is at the sea '.repeat(60)), max_completion_tokens: 8 };
  const texts = (events: readonly ChatEvent[]): readonly ChatEvent[] => events.filter(({ type }) => type === 'text');
  for (let round = 0; round < 3; round++) {
    const caller = new AbortController();
    const aborted = collect(engine.generate(prompt, context(caller.signal, `project ${round}`)));
    // The first part of the prompt is being evaluated.
    for (let turn = 0; turn < 3 * round + 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    caller.abort(new Error('the client disconnected'));
    await expect(aborted).rejects.toThrow('the client disconnected');
    const { signal } = new AbortController();
    const again = await collect(engine.generate(prompt, context(signal, `project ${round}`)));
    const fresh = await collect(engine.generate(prompt, context(signal, 'another project')));
    expect(texts(again)).toEqual(texts(fresh));
    expect(texts(again).length).toBeGreaterThan(0);
  }
});

test('a request that is aborted while it waits does not block the next one', async () => {
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const few = { ...request('rain'), max_completion_tokens: 20 };
  const first = collect(engine.generate(few, context(signal)));
  const second = collect(engine.generate(few, context(leaving.signal)));
  const third = collect(engine.generate(few, context(signal)));
  // All requests wait for the one sequence before the first has ended.
  await Promise.race([first, new Promise((resolve) => setImmediate(resolve))]);
  leaving.abort(new Error('would not wait'));
  await expect(second).rejects.toThrow('would not wait');
  expect((await first).at(-1)).toMatchObject({ type: 'usage' });
  expect((await third).at(-1)).toMatchObject({ type: 'usage' });
});

test('releases the sequence when the consumer stops reading', async () => {
  await collect(engine.generate(request('hills'), context(new AbortController().signal)), 3);
  const next = await collect(
    engine.generate({ ...request('hills'), max_completion_tokens: 2 }, context(new AbortController().signal)),
  );
  expect(next.at(-1)).toMatchObject({ type: 'usage' });
});

test('yields to the event loop while a reply is generated', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const events = await collect(
    engine.generate({ ...request('sea'), max_completion_tokens: 100 }, context(new AbortController().signal)),
  );
  clearInterval(timer);
  expect(events.length).toBeGreaterThan(50);
  expect(turns).toBeGreaterThan(10);
});
