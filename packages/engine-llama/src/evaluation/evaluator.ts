import type { LlamaContextSequence, Token, TokenBias } from 'node-llama-cpp';
import type { RawScores } from '../sampling/scores.ts';
import { untilAborted } from '../until-aborted.ts';
import type { StepLoop } from './step-loop.ts';

/** Tokens of a prompt that are evaluated in one step; the signal is checked between steps. */
export const stride = 256;

/** How llama.cpp samples a token. */
export interface NativeSampling {
  readonly temperature: number;
  readonly topP: number;
  /** Tokens that can be sampled. */
  readonly topK: number;
  readonly seed: number;
}

export interface ScoresQuery {
  /** Returned scores, of the most likely tokens. */
  readonly count: number;
  /** Tokens in the sum of probabilities. */
  readonly summed: number;
  readonly bias: TokenBias | undefined;
}

/** The sequence of one reply. Each method evaluates tokens after those that the sequence has. */
export interface Evaluator {
  /** Samples the next token in llama.cpp: no scores are passed to JavaScript. */
  sample(tokens: readonly Token[], bias: TokenBias | undefined): Promise<Token>;
  /** The scores of the next token. */
  scores(tokens: readonly Token[], query: ScoresQuery): Promise<RawScores>;
  /** Removes the last token, which is then to be evaluated again: a sequence does not keep its scores. */
  forgetLast(): void;
  /** Resolves when llama.cpp no longer uses the sequence. */
  close(): Promise<void>;
}

export interface EvaluatorInit {
  readonly sequence: LlamaContextSequence;
  readonly stepLoop: StepLoop;
  readonly sampling: NativeSampling;
  readonly createBias: () => TokenBias;
  readonly signal: AbortSignal;
}

export function createEvaluator({ sequence, stepLoop, sampling, createBias, signal }: EvaluatorInit): Evaluator {
  const noBias = createBias();
  let bias = noBias;
  /** The evaluation that was started last: it continues when the reply is aborted. */
  let current: Promise<unknown> = Promise.resolve();
  let forgets = false;
  /** One for the whole reply: each would allocate a score per token of the vocabulary, which is freed with the garbage. */
  let sampler: ReturnType<LlamaContextSequence['evaluate']> | undefined;

  const forget = async (): Promise<void> => {
    if (!forgets) return;
    forgets = false;
    const end = sequence.nextTokenIndex;
    await sequence.eraseContextTokenRanges([{ start: end - 1, end }]);
  };
  const step = <Value>(tokens: readonly Token[], start: (tokens: Token[]) => Promise<Value>): Promise<Value> => {
    const task = stepLoop.run(tokens.length, async () => {
      // An aborted reply gives up its place in the step.
      signal.throwIfAborted();
      await forget();
      return start([...tokens]);
    });
    current = task.catch(() => undefined);
    return untilAborted(task, signal);
  };
  const evaluateAhead = async (tokens: readonly Token[]): Promise<readonly Token[]> => {
    let rest = tokens;
    while (rest.length > stride) {
      await step(rest.slice(0, stride), (some) => sequence.evaluateWithoutGeneratingNewTokens(some));
      rest = rest.slice(stride);
    }
    return rest;
  };
  return {
    async sample(tokens, tokenBias) {
      const rest = await evaluateAhead(tokens);
      bias = tokenBias ?? noBias;
      return step(rest, async (some) => {
        const { temperature, topP, topK, seed } = sampling;
        const options = { temperature, topP, topK, seed, minP: 0, tokenBias: () => bias, yieldEogToken: true };
        sampler ??= sequence.evaluate(some, options);
        // The first call starts the generator, which has the tokens already.
        const { value } = await sampler.next(some);
        if (value === undefined) throw new Error('llama.cpp sampled no token');
        return value;
      });
    },
    async scores(tokens, { count, summed, bias: tokenBias }) {
      const rest = [...(await evaluateAhead(tokens))];
      const last = rest.pop();
      if (last === undefined) throw new Error('no token to continue from');
      const options = { temperature: 1, topK: summed, topP: 1, minP: 0, seed: 0, ...(tokenBias && { tokenBias }) };
      const logits = { filter: { tokens: [], includeTop: count } };
      return step([...rest, last], async () => {
        const outputs = await sequence.controlledEvaluate([
          ...rest,
          [last, { generateNext: { logits, totalLogitWeight: true, options } }],
        ]);
        const { logits: found, totalLogitWeight: totalWeight } = outputs.at(-1)?.next ?? {};
        if (!found || totalWeight === undefined) throw new Error('llama.cpp returned no scores');
        return { logits: found, totalWeight };
      });
    },
    forgetLast() {
      forgets = true;
    },
    async close() {
      await current;
      await sampler?.return();
    },
  };
}
