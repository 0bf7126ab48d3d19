import type { ChatRequest } from '@modelwire/ports';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../simulator.ts';
import { collect, request, yieldedItems } from '../testing/requests.ts';

const engine = createSimulator();
beforeAll(() => engine.ready());

const code = 'const total = prices.map((price) => price * count).reduce((sum, one) => sum + one, 0);';
const ask = (predicted: string | undefined, overrides: Partial<ChatRequest> = {}) =>
  collect(engine, request(`Repeat exactly: ${code}`, { temperature: 0, prediction: predicted, ...overrides }));
const counts = ({ usage }: Awaited<ReturnType<typeof ask>>) => {
  const { accepted_prediction_tokens: accepted, rejected_prediction_tokens: rejected } =
    usage?.completion_tokens_details ?? {};
  return { accepted, rejected, all: usage?.completion_tokens };
};

describe('a prediction', () => {
  test('that matches is accepted completely, and does not change the reply', async () => {
    const plain = await ask(undefined);
    const predicted = await ask(code);
    expect(predicted.texts).toEqual(plain.texts);
    expect(counts(plain)).toMatchObject({ accepted: 0, rejected: 0 });
    const { all } = counts(plain);
    expect(counts(predicted)).toEqual({ accepted: all, rejected: 0, all });
  });

  test('that differs in one place is rejected there and accepted around it; rejected tokens count as generated', async () => {
    const plain = counts(await ask(undefined));
    const { accepted = 0, rejected = 0, all } = counts(await ask(code.replace('count', 'amount')));
    expect(rejected).toBeGreaterThan(0);
    expect(rejected).toBeLessThanOrEqual(16);
    expect(accepted).toBeGreaterThan((plain.all ?? 0) / 2);
    expect(accepted).toBeLessThan(plain.all ?? 0);
    expect(all).toBe((plain.all ?? 0) + rejected);
  });

  test('that never matches is abandoned after one draft of 16 tokens', async () => {
    const plain = counts(await ask(undefined));
    const wrong = 'Something else altogether is said here, in many more words than a single draft can hold at a time.';
    expect(counts(await ask(wrong))).toEqual({ accepted: 0, rejected: 16, all: (plain.all ?? 0) + 16 });
  });

  test('that is rejected counts against the limit', async () => {
    const { all } = counts(
      await ask('Something else altogether is said here, in many more words than a draft can hold.', {
        max_completion_tokens: 20,
      }),
    );
    expect(all).toBe(20);
  });

  test('speeds up the reply: accepted tokens are sent together with the token before them', async () => {
    const slow = createSimulator({ tokensPerSecond: 5000 });
    await slow.ready();
    const rounds = async (predicted: string | undefined): Promise<number> => {
      const asked = request(`Repeat exactly: ${code}`, { temperature: 0, prediction: predicted });
      return (await Array.fromAsync(yieldedItems(slow, asked))).length;
    };
    expect(await rounds(code)).toBeLessThan((await rounds(undefined)) / 3);
  });
});
