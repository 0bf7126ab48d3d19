import { beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from './simulator.ts';
import { collect, events, request } from './testing/requests.ts';
import { loadTokenizer } from './tokens/tokenizer.ts';
import type { Tokenizer } from './tokens/tokenizer.ts';

const engine = createSimulator();
let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
  await engine.ready();
});
const tokenCount = (text: string): number => tokenizer.encode(text).length;
const ask = (
  prompt: Parameters<typeof request>[0],
  overrides: Parameters<typeof request>[1] = {},
): ReturnType<typeof collect> => collect(engine, request(prompt, overrides));

describe('a reply', () => {
  test('consists of meta, text, one finish, and usage', async () => {
    const { all, finishes } = await ask('Hello!');
    expect(all[0]?.type).toBe('meta');
    expect(all.at(-1)?.type).toBe('usage');
    expect(all.filter(({ type }) => type === 'finish').length).toBe(1);
    expect(finishes).toEqual(['stop']);
    expect(all.slice(1, -1).every(({ type }) => type === 'text' || type === 'finish')).toBe(true);
  });

  test('at temperature 0 is the same each time, with or without a seed, and relates to the prompt', async () => {
    const replies = await Promise.all([1, 2, undefined].map((seed) => ask('What is 6 * 7?', { temperature: 0, seed })));
    expect(new Set(replies.map(({ texts }) => texts[0]))).toEqual(
      new Set(['6 * 7 = 42. The Modelwire simulator calculated this.']),
    );
  });

  test('is the same for the same seed at any temperature, also from another engine', async () => {
    for (const temperature of [0.7, 1, 2]) {
      const overrides = { temperature, seed: 11, frequency_penalty: 0.3 };
      const first = await ask('Tell me about rivers', overrides);
      const second = await collect(createSimulator(), request('Tell me about rivers', overrides));
      expect(second).toEqual(first);
    }
  });

  test('differs between seeds, and from one time to the next without a seed', async () => {
    const seeded = await Promise.all(Array.from({ length: 12 }, (_, seed) => ask('Hello!', { seed })));
    expect(new Set(seeded.map(({ texts }) => texts[0])).size).toBeGreaterThan(3);
    const unseeded = await Promise.all(Array.from({ length: 12 }, () => ask('Hello!')));
    expect(new Set(unseeded.map(({ texts }) => texts[0])).size).toBeGreaterThan(1);
  });

  test('starts with each word as often as its probability predicts', async () => {
    const { logprobs } = await ask('Hello!', { logprobs: true, top_logprobs: 5, max_completion_tokens: 1 });
    const likely = logprobs[0]?.[0]?.top_logprobs.slice(0, 3) ?? [];
    const count = 3000;
    const drawn = await ask('Hello!', { n: count, seed: 5, max_completion_tokens: 1 });
    const deviation = likely.reduce((sum, { token, logprob }) => {
      const expected = Math.exp(logprob) * count;
      return sum + (drawn.texts.filter((text) => text === token).length - expected) ** 2 / expected;
    }, 0);
    expect(likely.map(({ token }) => token)).toEqual(['Hello', 'Hi', 'Good']);
    // Three degrees of freedom: the probability of more than 16.3 is 1 in 1,000.
    expect(deviation).toBeLessThan(16.3);
  });

  test('deviates more from its template at higher temperatures, and always ends', async () => {
    const spread = async (temperature: number): Promise<number> => {
      const { texts, finishes } = await ask('Who are you?', { temperature, n: 40, seed: 3 });
      expect(finishes.every((reason) => reason === 'stop')).toBe(true);
      return new Set(texts).size;
    };
    expect(await spread(0)).toBe(1);
    expect(await spread(0.2)).toBeLessThan(await spread(2));
    expect(await spread(2)).toBe(40);
  });

  test('contains only the most likely words with a small top_p', async () => {
    const { texts } = await ask('Who are you?', { temperature: 2, top_p: 0.05, n: 10, seed: 3 });
    const greedy = await ask('Who are you?', { temperature: 0 });
    expect(new Set(texts)).toEqual(new Set(greedy.texts));
  });
});

describe('limits', () => {
  test('max_completion_tokens ends a reply with length after that many tokens', async () => {
    const { tokens, finishes, usage, texts } = await ask('Who are you?', {
      max_completion_tokens: 5,
      temperature: 0,
    });
    expect(tokens).toEqual([5]);
    expect(finishes).toEqual(['length']);
    expect(usage?.completion_tokens).toBe(5);
    expect(tokenCount(texts[0] ?? '')).toBe(5);
  });

  test('a reply that does not end is truncated at 4096 tokens', async () => {
    const { tokens, finishes } = await ask('Hello!', { logit_bias: { '199999': -100 }, temperature: 1, seed: 1 });
    expect(tokens).toEqual([4096]);
    expect(finishes).toEqual(['length']);
    const forced = await ask('Hello!', { logit_bias: { '13': 100 } });
    expect(forced.texts[0]).toBe('.'.repeat(4096));
  });
});

describe('bias and penalties', () => {
  test('logit_bias of -100 keeps a token out of every choice', async () => {
    const [id] = tokenizer.encode('Hello');
    const { texts } = await ask('Hello!', { logit_bias: { [String(id)]: -100 }, n: 20, seed: 1 });
    expect(texts.some((text) => text.includes('Hello'))).toBe(false);
    const greedy = await ask('Hello!', { logit_bias: { [String(id)]: -100 }, temperature: 0 });
    expect(greedy.texts[0]).toMatch(/^(Hi there|Good to hear)/);
  });

  test('rejects an unknown token ID and names logit_bias', async () => {
    for (const id of ['200018', '199998', '-1', '1.5', 'x', '1e3']) {
      await expect(ask('Hello!', { logit_bias: { [id]: 1 } })).rejects.toMatchObject({
        status: 400,
        param: 'logit_bias',
      });
    }
  });

  test('penalties lower the number of repetitions', async () => {
    const ticks = async (overrides: Parameters<typeof request>[1]): Promise<number> => {
      const { texts } = await ask('Repeat "tick" 40 times', { temperature: 0, ...overrides });
      return (texts[0] ?? '').split('tick').length - 1;
    };
    expect(await ticks({})).toBe(40);
    expect(await ticks({ frequency_penalty: 1.5 })).toBeLessThan(20);
    expect(await ticks({ frequency_penalty: 2, presence_penalty: 2 })).toBeLessThan(
      await ticks({ frequency_penalty: 1 }),
    );
  });
});

describe('logprobs', () => {
  test('are returned for each token if they are requested, otherwise not', async () => {
    const { tokens, logprobs, texts } = await ask('Who are you?', { logprobs: true, top_logprobs: 20, seed: 2 });
    expect(logprobs[0]?.length).toBe(tokens[0]);
    const bytes = logprobs[0]?.flatMap((entry) => entry.bytes ?? []) ?? [];
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(texts[0]);
    expect((await ask('Who are you?', { seed: 2 })).logprobs[0]).toEqual([]);
  });

  test('list the requested number of alternatives, most likely first, with a total probability of at most 1', async () => {
    for (const count of [0, 1, 20]) {
      const { logprobs } = await ask('Who are you?', { logprobs: true, top_logprobs: count, seed: 4 });
      for (const { top_logprobs: top } of logprobs[0] ?? []) {
        expect(top.length).toBe(count);
        expect(top.every(({ logprob }, i) => logprob <= (top[i - 1]?.logprob ?? 0))).toBe(true);
        expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1 + 1e-9);
      }
    }
  });

  test('give the chosen token the value it has among the alternatives, or -9999 outside the 20 likeliest', async () => {
    let outside = 0;
    for (let seed = 0; seed < 12; seed++) {
      const { logprobs } = await ask('Who are you?', { logprobs: true, top_logprobs: 20, seed, temperature: 2 });
      for (const { token, logprob, top_logprobs: top } of logprobs[0] ?? []) {
        const listed = top.find((other) => other.token === token);
        expect(logprob).toBe(listed?.logprob ?? -9999);
        if (listed === undefined) outside++;
      }
    }
    expect(outside).toBeGreaterThan(5);
  });

  test('are those of the distribution with bias and penalties, before temperature', async () => {
    const first = async (overrides: Parameters<typeof request>[1]): Promise<number | undefined> =>
      (await ask('Say hi', { logprobs: true, seed: 1, ...overrides })).logprobs[0]?.[0]?.logprob;
    const [id] = tokenizer.encode('Hi');
    expect(await first({ temperature: 0 })).toBe(await first({ temperature: 1 }));
    expect(await first({ temperature: 0, logit_bias: { [String(id)]: 3 } })).toBeGreaterThan(
      (await first({ temperature: 0 })) ?? 0,
    );
    // Penalties affect a token from its second occurrence on.
    const ticks =
      (await ask('Repeat "tick" 3 times', { logprobs: true, temperature: 0, presence_penalty: 1 })).logprobs[0] ?? [];
    expect(ticks[1]?.token).toBe(' tick');
    expect(ticks[2]?.logprob).toBeLessThan(ticks[1]?.logprob ?? 0);
  });
});

describe('stop', () => {
  const whole = 'I am the Modelwire simulator, not a real language model.';

  test('ends before the sequence, also if it starts and ends within tokens', async () => {
    for (const stop of [' simulator', 'odelwire sim', 'wire simulator, no', 'I', whole.slice(3, 50), 'e']) {
      const { texts, finishes, all } = await ask('Who are you?', { stop: ['never said', stop], temperature: 0 });
      expect(texts[0]).toBe(whole.slice(0, whole.indexOf(stop)));
      expect(finishes).toEqual(['stop']);
      expect(all.every((event) => event.type !== 'text' || event.text !== '')).toBe(true);
    }
  });

  test('changes nothing if no sequence occurs, even if the beginning of one does', async () => {
    const plain = await ask('Who are you?', { temperature: 0 });
    const stopped = await ask('Who are you?', { temperature: 0, stop: ['Modelwire simulators', 'answers. And', 'ö'] });
    expect(stopped.texts).toEqual(plain.texts);
    expect(stopped.usage).toEqual(plain.usage);
  });

  test('counts the tokens of the remaining text, including a split one, but none of the sequence', async () => {
    const { usage, tokens, texts } = await ask('Who are you?', { stop: [' simulator'], temperature: 0 });
    expect(texts[0]).toBe('I am the Modelwire');
    expect(usage?.completion_tokens).toBe(tokenCount('I am the Modelwire'));
    expect(tokens[0]).toBe(usage?.completion_tokens);
    const torn = await ask('Who are you?', { stop: ['imulator'], temperature: 0 });
    expect(torn.usage?.completion_tokens).toBe((usage?.completion_tokens ?? 0) + 1);
  });
});

describe('usage', () => {
  test('counts the tokens of the reply like the tokenizer', async () => {
    const prompts = [
      'Hello!',
      'Who are you?',
      'List 3 planets',
      'Count to 30',
      'List 30 things to write',
      'Say 🜚 and 漢字',
      'Explain quantum entanglement',
    ];
    for (const prompt of prompts) {
      const { usage, texts } = await ask(prompt, { temperature: 0, verbosity: 'high' });
      expect([prompt, usage?.completion_tokens]).toEqual([prompt, tokenCount(texts[0] ?? '')]);
    }
  });

  test('counts completion tokens, and the total is the sum', async () => {
    const { usage, tokens } = await ask('Who are you?', { seed: 1 });
    expect(usage?.completion_tokens).toBe(tokens[0]);
    expect(usage).toMatchObject({
      total_tokens: (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0),
      prompt_tokens_details: { audio_tokens: 0, cached_tokens: 0 },
      completion_tokens_details: {
        accepted_prediction_tokens: 0,
        audio_tokens: 0,
        reasoning_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    });
  });

  test('counts the texts of a prompt, 3 tokens for each message, 1 plus its own tokens for a name, and 3 for the reply', async () => {
    const prompt = async (messages: Parameters<typeof request>[0]): Promise<number | undefined> =>
      (await ask(messages)).usage?.prompt_tokens;
    const hello = tokenCount('Hello, world');
    expect(await prompt('Hello, world')).toBe(hello + 6);
    expect(await prompt('')).toBe(6);
    expect(await prompt([{ role: 'user', content: 'Hello, world', name: 'ana' }])).toBe(
      hello + 6 + 1 + tokenCount('ana'),
    );
    const parts = [
      { type: 'text' as const, text: 'Hello,' },
      { type: 'text' as const, text: ' world' },
    ];
    expect(
      await prompt([
        { role: 'system', content: 'Hello, world' },
        { role: 'user', content: parts },
      ]),
    ).toBe(2 * hello + 9);
    expect(await prompt('<|endoftext|>')).toBe(tokenCount('<|endoftext|>') + 6);
  });
});

describe('text', () => {
  test('never splits a character; its event counts all its tokens', async () => {
    const { all, texts } = await ask('Say "🜚🜛 ok 🜚"', { temperature: 0, logprobs: true });
    expect(texts[0]).toBe('🜚🜛 ok 🜚');
    const first = all.find((event) => event.type === 'text');
    expect(first).toMatchObject({ text: '🜚', tokens: tokenCount('🜚') });
    expect(first?.type === 'text' && first.logprobs?.length).toBe(tokenCount('🜚'));
  });

  test('accepts a prompt of a megabyte, and yields to the event loop meanwhile', async () => {
    for (const prompt of ['a'.repeat(2 ** 20), ' '.repeat(2 ** 20), 'Say hello to the world. '.repeat(40_000)]) {
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const { usage, finishes } = await ask(prompt, { temperature: 0, max_completion_tokens: 10 });
      clearInterval(timer);
      expect(usage?.prompt_tokens).toBeGreaterThan(1000);
      expect(finishes.length).toBe(1);
      expect(turns).toBeGreaterThan(0);
    }
  });
});

describe('system_fingerprint', () => {
  test('is stable, and differs for other options', async () => {
    const of = async (options: Parameters<typeof createSimulator>[0]): Promise<string | undefined> =>
      (await collect(createSimulator(options), request('ping'))).fingerprint;
    expect(await of({})).toMatch(/^fp_[0-9a-f]{10}$/);
    expect(await of({})).toBe(await of({}));
    expect(await of({ tokensPerSecond: 1e6 })).not.toBe(await of({}));
  });
});

describe('an aborted request', () => {
  test('throws the reason of the signal before the first event and between arrays of tokens', async () => {
    const abortReason = new Error('the client disconnected');
    const before = events(engine, request('Hello!'), AbortSignal.abort(abortReason));
    await expect(before[Symbol.asyncIterator]().next()).rejects.toBe(abortReason);
    const controller = new AbortController();
    let eventCount = 0;
    const reading = (async () => {
      for await (const event of events(engine, request('Count to 200'), controller.signal)) {
        if (event.type === 'text' && ++eventCount === 5) controller.abort(abortReason);
      }
    })();
    await expect(reading).rejects.toBe(abortReason);
    expect(eventCount).toBeLessThanOrEqual(32);
  });

  test('ends without waiting for the current timer', async () => {
    const abortReason = new Error('the client disconnected');
    const slow = createSimulator({ firstTokenDelayMs: 2 ** 30 });
    const controller = new AbortController();
    const reading = (async () => {
      for await (const event of events(slow, request('Hello!'), controller.signal)) {
        if (event.type === 'meta') setImmediate(() => controller.abort(abortReason));
      }
    })();
    await expect(reading).rejects.toBe(abortReason);
  });
});

describe('pace', () => {
  test('spreads tokens over time without changing them', async () => {
    const paced = createSimulator({ tokensPerSecond: 200, firstTokenDelayMs: 30 });
    const chatRequest = request('Hello!', { seed: 1 });
    const started = performance.now();
    const slow = await collect(paced, chatRequest);
    const took = performance.now() - started;
    const fast = await collect(engine, chatRequest);
    expect(slow.texts).toEqual(fast.texts);
    expect(took).toBeGreaterThan(30 + ((slow.tokens[0] ?? 0) - 1) * 5 - 5);
  });
});
