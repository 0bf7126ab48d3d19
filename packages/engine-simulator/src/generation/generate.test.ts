import type { ChatEvent, ChatRequest, EngineContext } from '@modelwire/ports';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../simulator.ts';
import type { Simulator } from '../simulator.ts';
import { collect, request, yieldedItems } from '../testing/requests.ts';

const long = 'all the clocks '.repeat(1000).trim();
const models = [{ id: 'canned', reply: 'A fixed reply.' }, { id: 'long', reply: long }, { id: 'simulator' }];
const engine = createSimulator({ models });
beforeAll(() => engine.ready());

/** The arrays of events, in the order in which they are yielded. */
async function collectArrays(engine: Simulator, chatRequest: ChatRequest): Promise<(readonly ChatEvent[])[]> {
  const eventArrays: (readonly ChatEvent[])[] = [];
  for await (const some of yieldedItems(engine, chatRequest)) eventArrays.push('type' in some ? [some] : some);
  return eventArrays;
}
/** A context that counts the reads of its signal. */
function countSignalReads(model: string): { context: EngineContext; signalReads: () => number } {
  let signalReads = 0;
  const [found] = engine.models().filter(({ id }) => id === model);
  if (found === undefined) throw new Error('no model');
  const context: EngineContext = {
    requestId: 'r',
    project: 'p',
    model: found,
    requestBody: { model, messages: [], stream: true },
    get signal() {
      signalReads++;
      return new AbortController().signal;
    },
  };
  return { context, signalReads: () => signalReads };
}

describe('a fixed reply', () => {
  test('is one array, returned synchronously and without reading the signal', () => {
    const { context, signalReads } = countSignalReads('canned');
    expect(engine.generate(request('Hello!', { model: 'canned' }), context)).toMatchObject([
      ...[{ type: 'meta' }, { type: 'text', text: 'A' }, { type: 'text', text: ' fixed' }, { type: 'text' }],
      ...[{ type: 'text', text: '.' }, { type: 'finish', reason: 'stop' }, { type: 'usage' }],
    ]);
    expect(signalReads()).toBe(0);
  });

  test('is one text event if it is not streamed', async () => {
    const { context } = countSignalReads('canned');
    const chatEvents = engine.generate(request('Hello!', { model: 'canned' }), {
      ...context,
      requestBody: { model: 'canned', messages: [] },
    });
    expect(chatEvents).toMatchObject([
      { type: 'meta' },
      { type: 'text', text: 'A fixed reply.', tokens: 4 },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { completion_tokens: 4 } },
    ]);
  });

  test('consists of the same frozen events each time', async () => {
    const [[first], [second]] = [
      await collectArrays(engine, request('One', { model: 'canned' })),
      await collectArrays(engine, request('Another one', { model: 'canned' })),
    ];
    expect(first?.length).toBe(7);
    for (const [index, event] of (first ?? []).entries()) {
      if (event.type === 'usage') continue;
      expect(second?.[index]).toBe(event);
      expect(Object.isFrozen(event)).toBe(true);
    }
  });

  test('is yielded in several arrays if it is long', async () => {
    const chatRequest = request('Hello!', { model: 'long' });
    const eventArrays = await collectArrays(engine, chatRequest);
    expect(eventArrays.length).toBeGreaterThan(3);
    expect(Math.max(...eventArrays.map((list) => list.length))).toBeLessThanOrEqual(2048);
    const { texts, finishes, all } = await collect(engine, chatRequest);
    expect([texts, finishes]).toEqual([[long], ['stop']]);
    expect([all[0]?.type, all.at(-1)?.type]).toEqual(['meta', 'usage']);
  });

  test('to a long prompt waits until the prompt is counted, and is otherwise the same', async () => {
    const chatRequest = request('привет мир '.repeat(20_000), { model: 'canned' });
    const first = await collect(engine, chatRequest);
    expect(first.texts).toEqual(['A fixed reply.']);
    expect(first.usage?.prompt_tokens).toBeGreaterThan(20_000);
    expect(await collect(engine, chatRequest)).toEqual(first);
  });
});

describe('a simulated reply', () => {
  test('is yielded in arrays of about 32 tokens unless tokensPerSecond is set', async () => {
    const chatRequest = request('Count to 200', { temperature: 0 });
    const eventArrays = await collectArrays(engine, chatRequest);
    const events = eventArrays.flat().length;
    expect(events).toBeGreaterThan(100);
    expect(eventArrays.every((list) => list.length > 0 && list.length <= 34)).toBe(true);
    // An array is shorter only if the engine yielded to the event loop.
    expect(eventArrays.length).toBeLessThan(events / 4);
  });

  test('is yielded token by token if tokensPerSecond is set, after the metadata', async () => {
    const paced = createSimulator({ tokensPerSecond: 1e6 });
    const eventArrays = await collectArrays(paced, request('Hello!', { temperature: 0 }));
    const types = eventArrays.map((list) => list.map(({ type }) => type));
    expect(types.slice(0, 4)).toEqual([['meta'], ['text'], ['text'], ['text']]);
    expect(types.at(-1)).toEqual(['finish', 'usage']);
  });

  test('is rejected before the first event', async () => {
    const chatRequest = request('Hello!', { logit_bias: { none: 1 } });
    const reading = yieldedItems(engine, chatRequest)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject({ status: 400, param: 'logit_bias' });
  });
});
