import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import { truncate } from './truncate.ts';
import type { TruncateOptions } from './truncate.ts';

const text = (piece: string, tokens?: number): ChatEvent => ({
  type: 'text',
  choice: 0,
  text: piece,
  ...(tokens !== undefined && { tokens }),
});
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };

async function run(events: readonly ChatEvent[], options: Partial<TruncateOptions>) {
  const source = (async function* () {
    yield* events;
  })();
  const out = await Array.fromAsync(
    truncate(source, {
      stop: [],
      maxTokens: undefined,
      singleToolCall: false,
      promptTokens: () => undefined,
      ...options,
    }),
  );
  return {
    events: out,
    said: out.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    reason: out.flatMap((event) => (event.type === 'finish' ? [event.reason] : [])),
    usage: out.findLast((event) => event.type === 'usage'),
  };
}

test('ends before a stop sequence that spans several events', async () => {
  const { said, reason } = await run([text('one E'), text('N'), text('D two'), finish], { stop: ['END'] });
  expect({ said, reason }).toEqual({ said: 'one ', reason: ['stop'] });
});

test('emits text that only begins like a stop sequence', async () => {
  const { said, reason } = await run([text('EN'), text('EN'), text('X'), finish], { stop: ['END'] });
  expect({ said, reason }).toEqual({ said: 'ENENX', reason: ['stop'] });
});

test('of several stop sequences the one that is complete first wins', async () => {
  expect((await run([text('a;b.c'), finish], { stop: ['.', ';'] })).said).toBe('a');
});

test('a reply that ends exactly at the limit is not truncated', async () => {
  expect(await run([text('a'), text('b'), finish], { maxTokens: 2 })).toMatchObject({ said: 'ab', reason: ['stop'] });
});

test('a limit ends the choice with length and counts the emitted tokens', async () => {
  const events = [text('a'), text('b'), text('c'), finish];
  expect(await run(events, { maxTokens: 2, promptTokens: () => 7 })).toMatchObject({
    said: 'ab',
    reason: ['length'],
    usage: { usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } },
  });
});

test('a truncated reply has the prompt tokens that the engine reported before its text', async () => {
  const early: ChatEvent = { type: 'usage', usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 } };
  const { usage } = await run([early, text('a'), text('b'), finish], { maxTokens: 1 });
  expect(usage?.usage).toEqual({ prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 });
});

test('a truncated reply has no usage without a count of its prompt', async () => {
  expect((await run([text('a'), text('b'), finish], { maxTokens: 1 })).usage).toBeUndefined();
});

const logprobs = (...tokens: string[]) =>
  tokens.map((token) => ({ token, logprob: -1, bytes: null, top_logprobs: [] }));
const four: ChatEvent = {
  type: 'text',
  choice: 0,
  text: 'one two STOP secret',
  tokens: 4,
  logprobs: logprobs('one', ' two', ' STOP', ' secret'),
};
const shown = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : [])).map(({ token }) => token);

test('log probabilities are truncated with the text, and reveal nothing of the rest', async () => {
  const stopped = await run([four, finish], { stop: ['STOP'] });
  expect([stopped.said, shown(stopped.events)]).toEqual(['one two ', ['one', ' two', ' STOP']]);
  const limited = await run([four, finish], { maxTokens: 2 });
  expect([limited.said, shown(limited.events), limited.reason]).toEqual(['one two', ['one', ' two'], ['length']]);
});

test('log probabilities that do not match the text are removed from a truncated event', async () => {
  const odd = { ...four, logprobs: logprobs('?') } as ChatEvent;
  expect(shown((await run([odd, finish], { stop: ['STOP'] })).events)).toEqual([]);
});

test('reasoning and calls count as tokens, and held-back text is emitted before them', async () => {
  const extra: ChatEvent = { type: 'extra', choice: 0, delta: { reasoning: 'hm' } };
  expect(await run([extra, extra, extra, finish], { maxTokens: 2 })).toMatchObject({ reason: ['length'] });
  const { events } = await run([text('EN'), extra, text('X'), finish], { stop: ['END'] });
  expect(events.map(({ type }) => type)).toEqual(['text', 'extra', 'text', 'finish']);
});

test('an event with too many tokens keeps its share of the text, never half a character', async () => {
  expect(await run([text('😀😀', 4), finish], { maxTokens: 3 })).toMatchObject({ said: '😀', reason: ['length'] });
});

test('truncation keeps the prompt count that the engine reported early', async () => {
  const early: ChatEvent = { type: 'usage', usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 } };
  const { usage } = await run([early, text('a'), text('b'), finish], { maxTokens: 1 });
  expect(usage).toMatchObject({ usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 } });
});

test('truncation stops the engine', async () => {
  let stopped = false;
  const source = (async function* () {
    try {
      for (;;) yield text('a');
    } finally {
      stopped = true;
    }
  })();
  await Array.fromAsync(
    truncate(source, { stop: ['aaa'], maxTokens: undefined, singleToolCall: false, promptTokens: () => undefined }),
  );
  expect(stopped).toBe(true);
});

test('the output is the same however the text is split', async () => {
  const pieces = fc.array(fc.stringMatching(/^[ab.]{1,4}$/), { maxLength: 12 });
  const stops = fc.array(fc.stringMatching(/^[ab.]{1,3}$/), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(pieces, stops, async (split, stop) => {
      const whole = split.join('');
      const found = stop.map((one) => ({ at: whole.indexOf(one), end: whole.indexOf(one) + one.length }));
      const [first] = found.filter(({ at }) => at !== -1).sort((a, b) => a.end - b.end || a.at - b.at);
      const expected = first ? whole.slice(0, first.at) : whole;
      const { said, reason } = await run([...split.map((piece) => text(piece)), finish], { stop });
      expect(said).toBe(expected);
      expect(reason).toEqual(['stop']);
    }),
  );
});
