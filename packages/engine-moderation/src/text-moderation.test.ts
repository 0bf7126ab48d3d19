import type { ModerationInput } from '@modelwire/ports';
import { expect, onTestFinished, test, vi } from 'vitest';
import { categories, subcategoryPairs, type Category } from './categories.ts';
import { createTextModeration } from './index.ts';
import { disguisedSentences, harmfulSentences } from './testing/harmful.ts';
import { judgedCategories } from './thresholds.ts';

const engine = createTextModeration();
const model = 'omni-moderation-latest';
const text = (of: string): ModerationInput => [{ type: 'text', text: of }];

async function moderate(inputs: readonly ModerationInput[], signal = new AbortController().signal) {
  return engine.moderate({ model, inputs }, { requestId: 'r', signal });
}

async function verdict(of: string) {
  const [only] = await moderate([text(of)]);
  return only!;
}

async function flagged(of: string): Promise<string[]> {
  const found = await verdict(of);
  return categories.filter((category) => found[category]?.flagged);
}

const isJudged = (category: Category) => judgedCategories.includes(category);

test.each(harmfulSentences.filter(([category]) => isJudged(category)))(
  'flags %s in "%s"',
  async (category, sentence) => {
    expect(await flagged(sentence)).toContain(category);
  },
);

test('gives no verdict on categories that it does not judge, and says which it judges', async () => {
  const unjudged = harmfulSentences.filter(([category]) => !isJudged(category));
  expect(unjudged).not.toEqual([]);
  for (const [category, sentence] of unjudged) expect(await verdict(sentence)).not.toHaveProperty([category]);
  expect(engine.models().map(({ categories: judged }) => judged)).toEqual([judgedCategories, judgedCategories]);
});

test.each(disguisedSentences.filter(([, category]) => isJudged(category)))(
  'detects %s',
  async (_how, category, sentence) => {
    expect(await flagged(sentence)).toContain(category);
  },
);

test('gives every judged category a score from 0 to 1 with the input type text', async () => {
  const found = await verdict('A walk by the river');
  expect(Object.keys(found)).toEqual(judgedCategories);
  for (const { score, appliedTo } of Object.values(found)) {
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
    expect(appliedTo).toEqual(['text']);
  }
});

test('flags the parent of a flagged category', async () => {
  for (const [, sentence] of harmfulSentences) {
    const found = await verdict(sentence);
    for (const [child, parent] of subcategoryPairs)
      if (found[child]?.flagged && found[parent]) expect(found[parent].flagged).toBe(true);
  }
});

test('returns one verdict for each input, in order, independently of the other inputs', async () => {
  const inputs = ['I will kill myself', 'good morning', 'I want to end my life tonight'].map(text);
  const together = await moderate(inputs);
  expect(together).toEqual(await Promise.all(inputs.map(async (input) => (await moderate([input]))[0])));
  expect(together.map((one) => one['self-harm']?.flagged)).toEqual([true, false, true]);
});

test('joins the text parts of an input and ignores images', async () => {
  const image = { type: 'image', mediaType: 'image/png', bytes: new Uint8Array([1]) } as const;
  const [both] = await moderate([[{ type: 'text', text: 'I want to kill' }, image, { type: 'text', text: 'myself' }]]);
  expect(both?.['self-harm/intent']).toMatchObject({ flagged: true, appliedTo: ['text'] });
});

test('scores no category of an input without text', async () => {
  const [found] = await moderate([[{ type: 'image', mediaType: 'image/png', bytes: new Uint8Array([1]) }]]);
  expect(found).toEqual({});
});

test('detects one harmful sentence in a long text', async () => {
  const long = 'The meadow was green and the river was slow. '.repeat(400);
  expect(await flagged(long)).toEqual([]);
  expect(await flagged(`${long}I want to kill myself tonight. ${long}`)).toContain('self-harm/intent');
});

test.each([
  ['an empty text', ''],
  ['NUL', '\0\0\0'],
  ['lone surrogates', '\ud800 \udc00 \ud800a'],
  ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇰🇪'],
  ['another script', 'Доброе утро, как дела? お元気ですか'],
  ['only marks', '\u0301\u0336\u0301'],
  ['only signs', '!?!?...***'],
])('flags nothing in %s', async (_what, of) => {
  expect(await flagged(of)).toEqual([]);
});

test('gives the same scores for the same text in another engine', async () => {
  const other = createTextModeration({ models: [{ id: model }] });
  const inputs = harmfulSentences.map(([, sentence]) => text(sentence));
  const context = { requestId: 'r', signal: new AbortController().signal };
  expect(await other.moderate({ model, inputs }, context)).toEqual(await moderate(inputs));
});

test('yields to the event loop during a million characters', async () => {
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  await verdict('I read a book. '.repeat(70_000));
  clearInterval(others);
  expect(turns).toBeGreaterThan(3);
});

test('yields to the event loop after five milliseconds, even if windows take long', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
  const turns = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => void vi.restoreAllMocks());
  await verdict('I read a book. '.repeat(3000));
  // Each window takes three milliseconds, so it yields after every second one. Each window and each turn reads the clock once.
  const windows = clock.mock.calls.length - turns.mock.calls.length;
  expect(windows).toBeGreaterThan(50);
  expect(turns.mock.calls.length / windows).toBeGreaterThan(0.45);
});

test('stops when the request is aborted', async () => {
  const gone = new AbortController();
  const judging = moderate([text('I read a book. '.repeat(70_000))], gone.signal);
  gone.abort(new Error('gone'));
  await expect(judging).rejects.toThrow('gone');
});

test('rejects an unknown model', async () => {
  const context = { requestId: 'r', signal: new AbortController().signal };
  await expect(engine.moderate({ model: 'other', inputs: [] }, context)).rejects.toMatchObject({
    code: 'model_not_found',
  });
});
