import type { ChatEvent, ChatRequest, EngineContext } from '@modelwire/ports';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../simulator.ts';
import type { Simulator } from '../simulator.ts';
import { collect, request, yields } from '../testing/requests.ts';

const long = 'all the clocks '.repeat(1000).trim();
const models = [{ id: 'canned', reply: 'A fixed reply.' }, { id: 'long', reply: long }, { id: 'simulator' }];
const engine = createSimulator({ models });
beforeAll(() => engine.ready());

/** The arrays of events, in the order in which they are yielded. */
async function listsOf(of: Simulator, asked: ChatRequest): Promise<(readonly ChatEvent[])[]> {
  const lists: (readonly ChatEvent[])[] = [];
  for await (const some of yields(of, asked)) lists.push('type' in some ? [some] : some);
  return lists;
}
/** A context that counts how often its signal is asked for. */
function counting(model: string): { context: EngineContext; asked: () => number } {
  let asked = 0;
  const [found] = engine.models().filter(({ id }) => id === model);
  if (found === undefined) throw new Error('no model');
  const context: EngineContext = {
    requestId: 'r',
    project: 'p',
    model: found,
    requestBody: { model, messages: [], stream: true },
    get signal() {
      asked++;
      return new AbortController().signal;
    },
  };
  return { context, asked: () => asked };
}

describe('a fixed reply', () => {
  test('is one list, returned without a wait and without reading the signal', () => {
    const { context, asked } = counting('canned');
    expect(engine.generate(request('Hello!', { model: 'canned' }), context)).toMatchObject([
      ...[{ type: 'meta' }, { type: 'text', text: 'A' }, { type: 'text', text: ' fixed' }, { type: 'text' }],
      ...[{ type: 'text', text: '.' }, { type: 'finish', reason: 'stop' }, { type: 'usage' }],
    ]);
    expect(asked()).toBe(0);
  });

  test('is one text where it is not streamed', async () => {
    const { context } = counting('canned');
    const asked = engine.generate(request('Hello!', { model: 'canned' }), {
      ...context,
      requestBody: { model: 'canned', messages: [] },
    });
    expect(asked).toMatchObject([
      { type: 'meta' },
      { type: 'text', text: 'A fixed reply.', tokens: 4 },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { completion_tokens: 4 } },
    ]);
  });

  test('consists of the same frozen events each time', async () => {
    const [[first], [second]] = [
      await listsOf(engine, request('One', { model: 'canned', n: 2 })),
      await listsOf(engine, request('Another one', { model: 'canned', n: 2 })),
    ];
    expect(first?.length).toBe(12);
    for (const [index, event] of (first ?? []).entries()) {
      if (event.type === 'usage') continue;
      expect(second?.[index]).toBe(event);
      expect(Object.isFrozen(event)).toBe(true);
    }
  });

  test('is yielded in several arrays if it is long or has many choices', async () => {
    for (const [model, n] of [
      ['long', 1],
      ['long', 3],
      ['canned', 1000],
    ] as const) {
      // prettier-ignore
      const asked = request('Hello!', { model, n });
      const lists = await listsOf(engine, asked);
      expect(lists.length).toBeGreaterThan(3);
      expect(Math.max(...lists.map((list) => list.length))).toBeLessThanOrEqual(2048);
      const { texts, finishes, all } = await collect(engine, asked);
      expect(new Set(texts)).toEqual(new Set([model === 'long' ? long : 'A fixed reply.']));
      expect(finishes).toEqual(Array.from({ length: n }, () => 'stop'));
      expect([all[0]?.type, all.at(-1)?.type]).toEqual(['meta', 'usage']);
    }
  });

  test('to a long prompt waits until that is counted, and then is the same', async () => {
    const asked = request('привет мир '.repeat(20_000), { model: 'canned' });
    const first = await collect(engine, asked);
    expect(first.texts).toEqual(['A fixed reply.']);
    expect(first.usage?.prompt_tokens).toBeGreaterThan(20_000);
    expect(await collect(engine, asked)).toEqual(first);
  });
});

describe('a simulated reply', () => {
  test('is yielded in arrays of about 32 tokens unless tokensPerSecond is set', async () => {
    const asked = request('Count to 200', { temperature: 0 });
    const lists = await listsOf(engine, asked);
    const events = lists.flat().length;
    expect(events).toBeGreaterThan(100);
    expect(lists.every((list) => list.length > 0 && list.length <= 34)).toBe(true);
    // A list is cut short only by a turn of others.
    expect(lists.length).toBeLessThan(events / 4);
  });

  test('is yielded round by round if tokensPerSecond is set, with the metadata before the first', async () => {
    const paced = createSimulator({ tokensPerSecond: 1e6 });
    const lists = await listsOf(paced, request('Hello!', { temperature: 0, n: 2 }));
    expect(lists[0]?.map(({ type }) => type)).toEqual(['meta']);
    const choices = lists.slice(1).flatMap((list) => list.map((event) => 'choice' in event && event.choice));
    expect(choices.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 1]);
  });

  test('is refused before the first event', async () => {
    const asked = request('Hello!', { logit_bias: { none: 1 } });
    const reading = yields(engine, asked)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject({ status: 400, param: 'logit_bias' });
  });

  test('prepares stop sequences once, however many choices there are', async () => {
    const reads = async (n: number): Promise<number> => {
      let count = 0;
      const stop = new Proxy(['never said'], {
        get(target, key): unknown {
          if (key === '0') count++;
          return Reflect.get(target, key);
        },
      });
      await collect(engine, request('Hello!', { stop, n, max_completion_tokens: 2 }));
      return count;
    };
    expect(await reads(1)).toBeGreaterThan(0);
    expect(await reads(24)).toBe(await reads(1));
  });
});
