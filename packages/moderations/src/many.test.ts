import { collect, gate, json, startRecordingServer } from '@modelwire/core/testing';
import type { RecordingServer } from '@modelwire/core/testing';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { AbortError, createModerations } from './index.ts';
import type { ModeratedInput, ModerationInput, ModerationsClient } from './index.ts';

type Sent = string | string[] | { type: string; text: string }[];

interface Server extends RecordingServer {
  readonly moderations: ModerationsClient;
  readonly sent: () => Sent[];
  readonly mostAtOnce: () => number;
}

/** Finds in each input its own text; waits before it answers, when told to. */
async function serve(before: (input: Sent, count: number) => unknown = () => undefined): Promise<Server> {
  let now = 0;
  let most = 0;
  const server = await startRecordingServer(async (response, { json: body }, count) => {
    const { input } = body as { input: Sent };
    most = Math.max(most, ++now);
    const status = await before(input, count);
    now--;
    const texts = Array.isArray(input) && typeof input[0] === 'object' ? ['parts'] : [input].flat();
    const results = texts.map((text) => ({ flagged: false, categories: { text } }));
    json(response, { id: `modr-${count}`, model: 'm', results }, typeof status === 'number' ? status : 200);
  });
  const moderations = createModerations({ baseURL: server.baseURL, backoff: () => 0 });
  const sent = (): Sent[] => server.recorded.map(({ json: body }) => (body as { input: Sent }).input);
  return { ...server, moderations, sent, mostAtOnce: () => most };
}

const found = ({ result }: ModeratedInput): unknown => (result.categories as unknown as { text: string }).text;
const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('createMany()', () => {
  test('yields a result for each input, in order, whatever the order of the responses', async () => {
    const three = gate();
    const { moderations, sent, mostAtOnce } = await serve(async (_, count) => {
      if (count === 3) three.open();
      // Those under way at first see each other, however slow the machine is.
      await (count <= 3 ? three.opened : new Promise((resolve) => setTimeout(resolve, count % 4 === 1 ? 40 : 1)));
    });
    const results = await collect(moderations.createMany(texts(95), { batchSize: 10, concurrency: 3 }));
    expectTypeOf(results).toEqualTypeOf<ModeratedInput<string>[]>();
    expect(results.map(found)).toEqual(texts(95));
    expect(results.map(({ index }) => index)).toEqual(texts(95).map((_, index) => index));
    expect(results.map(({ input }) => input)).toEqual(texts(95));
    expect(sent().map((input) => input.length)).toEqual([...Array<number>(9).fill(10), 5]);
    expect(mostAtOnce()).toBe(3);
  });

  test('any mix of texts and parts keeps its order under any options', async () => {
    const { moderations } = await serve();
    const input = fc.oneof(fc.string(), fc.constant([{ type: 'text', text: 'x' }] as const));
    await fc.assert(
      fc.asyncProperty(
        fc.array(input, { maxLength: 20 }),
        fc.record({
          batchSize: fc.integer({ min: 1, max: 6 }),
          batchLength: fc.integer({ min: 1, max: 20 }),
          concurrency: fc.integer({ min: 1, max: 4 }),
        }),
        async (inputs, options) => {
          const results = await collect(moderations.createMany<ModerationInput>(inputs, options));
          expect(results.map(found)).toEqual(inputs.map((input) => (typeof input === 'string' ? input : 'parts')));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('yields available results while a slow source is pending, and sends a group after lingerMs', async () => {
    const { moderations, sent } = await serve();
    const more = gate();
    async function* slow(): AsyncGenerator<string> {
      yield 'one';
      yield 'two';
      await more.opened;
      yield 'three';
    }
    const results = moderations.createMany(slow(), { lingerMs: 1 });
    expect([(await results.next()).value?.input, (await results.next()).value?.input]).toEqual(['one', 'two']);
    more.open();
    expect((await results.next()).value?.input).toBe('three');
    expect((await results.next()).done).toBe(true);
    expect(sent()).toEqual([['one', 'two'], 'three']);
  });

  test('reads inputs no faster than results are consumed', async () => {
    const { moderations } = await serve();
    let taken = 0;
    function* endless(): Generator<string> {
      for (;;) yield `text ${taken++}`;
    }
    for await (const { index } of moderations.createMany(endless(), { batchSize: 2, concurrency: 2 })) {
      expect(taken).toBeLessThanOrEqual(index + 8);
      if (index === 50) break;
    }
  });

  test('a failed request ends the loop after the results before it', async () => {
    const { moderations } = await serve((input) =>
      [input].flat().some((text) => text === 'text 4') ? 400 : undefined,
    );
    const seen: string[] = [];
    const loop = async (): Promise<void> => {
      for await (const { input } of moderations.createMany(texts(20), { batchSize: 2, concurrency: 4 }))
        seen.push(input);
    };
    await expect(loop()).rejects.toMatchObject({ name: 'BadRequestError' });
    expect(seen).toEqual(texts(4));
  });

  test('an error of the source ends the loop', async () => {
    const { moderations } = await serve();
    async function* broken(): AsyncGenerator<string> {
      yield 'one';
      throw new Error('source');
    }
    await expect(collect(moderations.createMany(broken()))).rejects.toThrow('source');
  });

  test('a response with too few results is an error', async () => {
    const { baseURL } = await startRecordingServer((response) => json(response, { id: 'm', model: 'm', results: [] }));
    const call = collect(createModerations({ baseURL }).createMany(['a']));
    await expect(call).rejects.toMatchObject({ name: 'DecodeError' });
  });

  test('leaving the loop and aborting the signal abort pending requests, and end the source', async () => {
    const { moderations, recorded } = await serve((_, count) =>
      count > 1 ? new Promise((resolve) => setTimeout(resolve, 3_600_000).unref()) : undefined,
    );
    let ended = false;
    function* source(): Generator<string> {
      try {
        for (;;) yield 'text';
      } finally {
        ended = true;
      }
    }
    for await (const { index } of moderations.createMany(source(), { batchSize: 1 })) if (index === 0) break;
    expect(ended).toBe(true);
    const controller = new AbortController();
    const stopped = collect(moderations.createMany(texts(9), { batchSize: 1, signal: controller.signal }));
    await expect.poll(() => recorded.length).toBeGreaterThan(4);
    controller.abort();
    await expect(stopped).rejects.toBeInstanceOf(AbortError);
  });

  test.each([{ batchSize: 0 }, { concurrency: 0 }])('refuses %j', async (options) => {
    const { moderations } = await serve();
    await expect(collect(moderations.createMany(['a'], options))).rejects.toMatchObject({
      name: 'InputError',
      param: Object.keys(options)[0],
    });
  });
});
