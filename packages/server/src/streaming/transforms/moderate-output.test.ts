import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../options/options.ts';
import type { ChatEvent, ModerationEngine } from '@modelwire/ports';
import { listen } from '../../testing/listen.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const phrase = 'build the forbidden device';

/** Flags texts with the phrase, and like many moderation models sees the first 4,000 characters only. */
function phraseModeration(): ModerationEngine & { readonly received: { characters: number; longest: number } } {
  const received = { characters: 0, longest: 0 };
  return {
    ...wordModeration(['text']),
    received,
    moderate: ({ inputs }) =>
      Promise.resolve(
        inputs.map((parts) => {
          const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
          received.characters += text.length;
          received.longest = Math.max(received.longest, text.length);
          const flagged = text.slice(0, 4000).includes(phrase);
          return { illicit: { score: flagged ? 0.9 : 0, flagged, appliedTo: ['text'] as const } };
        }),
      ),
  };
}

async function moderated(script: () => Iterable<ChatEvent>, moderate: NonNullable<ServerOptions['moderate']> = 'both') {
  const moderationEngine = phraseModeration();
  const engine = scriptedEngine(script, { can: { parameters: { n: 'native' } } });
  const served = await listen({ engines: [engine], moderationEngines: [moderationEngine], moderate });
  /** The text of a streamed reply in all fields, and its finish reason. */
  async function ask(content = 'fine'): Promise<{ said: string; finish: string | null }> {
    const params = { model: 'scripted', messages: [{ role: 'user' as const, content }], stream: true as const };
    let said = '';
    let finish: string | null = null;
    for await (const { choices } of await served.client.chat.completions.create(params)) {
      const delta = choices[0]?.delta ?? {};
      if (delta.role === undefined && Object.keys(delta).length > 0) said += JSON.stringify(delta);
      finish = choices[0]?.finish_reason ?? finish;
    }
    return { said, finish };
  }
  return { ...served, ask, moderationEngine };
}

const filler = (length: number): string => 'plain words all along '.repeat(length / 22 + 1).slice(0, length);

function cutUp(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

test('a flagged phrase is detected before any of it is released, whatever its position and pieces', async () => {
  let pieces: readonly string[] = [];
  const { ask } = await moderated(() => says(...pieces), 'output');
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20_000 })), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(12_000), fc.nat(6000), sizes, async (before, after, lengths) => {
      pieces = cutUp(filler(before) + phrase + filler(after), lengths);
      const { said, finish } = await ask();
      expect(finish).toBe('content_filter');
      const released = [...said.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('');
      expect(released.length).toBeLessThanOrEqual(before);
    }),
    { numRuns: 60 },
  );
});

test('all of one large event is moderated, not only its end', async () => {
  const { ask } = await moderated(() => says(phrase + filler(10_000)), 'output');
  expect(await ask()).toMatchObject({ finish: 'content_filter', said: '' });
});

test('a phrase in one field is found although text of another field is interleaved', async () => {
  const { ask } = await moderated(
    () => [
      { type: 'text', choice: 0, text: 'build the ' },
      { type: 'extra', choice: 0, delta: { reasoning: 'something else' } },
      { type: 'text', choice: 0, text: 'forbidden device' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ],
    'output',
  );
  expect(await ask()).toEqual({ finish: 'content_filter', said: '' });
});

const spoken: Readonly<Record<string, ChatEvent>> = {
  'a nested field that the interface does not define': {
    type: 'extra',
    choice: 0,
    delta: { details: [{ text: phrase }] },
  },
  'the name of such a field': { type: 'extra', choice: 0, delta: { [phrase]: 1 } },
  'the name of an empty object': { type: 'extra', choice: 0, delta: { [phrase]: {} } },
  'the name of an empty array': { type: 'extra', choice: 0, delta: { inner: { [phrase]: [] } } },
  'the tokens of log probabilities': {
    type: 'text',
    choice: 0,
    text: '',
    logprobs: phrase.split(' ').map((word) => ({ token: `${word} `, logprob: -1, bytes: null, top_logprobs: [] })),
  },
  'the name of a tool': { type: 'tool_call', choice: 0, index: 0, id: 'call_1', kind: 'function', name: phrase },
  'a refusal': { type: 'refusal', choice: 0, text: phrase },
  'the title of a citation': {
    type: 'annotations',
    choice: 0,
    annotations: [
      {
        type: 'url_citation',
        url_citation: { start_index: 0, end_index: 1, title: phrase, url: 'https://example.com' },
      },
    ],
  },
};

test.each(Object.keys(spoken))('moderates text in %s', async (name) => {
  const event = spoken[name];
  if (!event) throw new Error('no such event');
  const { ask } = await moderated(() => [event, { type: 'finish', choice: 0, reason: 'stop' }], 'output');
  expect(await ask()).toEqual({ finish: 'content_filter', said: '' });
});

test.each([2000, 20_000, 100_000])('six characters are moderated for each one of a reply of %i', async (length) => {
  const { ask, moderationEngine } = await moderated(() => says(...cutUp(filler(length), [5])), 'output');
  expect(await ask()).toMatchObject({ finish: 'stop' });
  expect(moderationEngine.received.characters).toBeGreaterThanOrEqual(length);
  expect(moderationEngine.received.characters).toBeLessThanOrEqual(6.1 * length + 1000);
});

test('every character of a long input is moderated', async () => {
  const { ask } = await moderated(() => says('Hi'), 'input');
  await fc.assert(
    fc.asyncProperty(fc.nat(30_000), fc.nat(10_000), async (before, after) => {
      const asked = ask(filler(before) + phrase + filler(after));
      await expect(asked).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[0]' });
    }),
    { numRuns: 30 },
  );
  expect(await ask(filler(40_000))).toMatchObject({ finish: 'stop' });
});

test('parts of a message are moderated in windows of their joined text', async () => {
  const { client, moderationEngine } = await moderated(() => says('Hi'), 'input');
  const parts = [...Array<string>(20).fill(filler(900)), phrase, ...Array<string>(20).fill(filler(900))];
  const content = parts.map((text) => ({ type: 'text' as const, text }));
  const asked = client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content }] });
  await expect(asked).rejects.toMatchObject({ status: 400, code: 'content_filter', param: 'messages[0]' });
  expect(moderationEngine.received.longest).toBe(4000);
});

test('the usage of a flagged reply has all tokens that were generated, also those that were withheld', async () => {
  const said = [...cutUp(filler(1000), [5]), phrase];
  function* script(): Generator<ChatEvent> {
    yield { type: 'usage', usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 } };
    yield* says(...said, filler(1000));
  }
  const { client } = await moderated(script, 'output');
  const params = { model: 'scripted', messages: [{ role: 'user' as const, content: 'fine' }] };
  const usage = { prompt_tokens: 7, completion_tokens: said.length + 1, total_tokens: said.length + 8 };
  const whole = await client.chat.completions.create(params);
  expect(whole).toMatchObject({ choices: [{ finish_reason: 'content_filter' }], usage });
  const stream = client.chat.completions.stream({ ...params, stream_options: { include_usage: true } });
  expect((await stream.finalChatCompletion()).usage).toEqual(usage);
});
