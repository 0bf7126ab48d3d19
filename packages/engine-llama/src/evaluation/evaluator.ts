import type { LlamaContextSequence, Token, TokenBias } from 'node-llama-cpp';
import type { RawScores } from '../sampling/scores.ts';
import { untilAborted } from '../until-aborted.ts';
import type { SequenceSteps } from './step-loop.ts';

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
  readonly steps: SequenceSteps;
  readonly sampling: NativeSampling;
  readonly createBias: () => TokenBias;
  readonly signal: AbortSignal;
}

export function createEvaluator({ sequence, steps, sampling, createBias, signal }: EvaluatorInit): Evaluator {
  const noBias = createBias();
  let bias = noBias;
  /** The evaluation that was started last: it continues when the reply is aborted. */
  let currentTask: Promise<unknown> = Promise.resolve();
  let isLastForgotten = false;
  /** One for the whole reply: each would allocate a score per token of the vocabulary, which is freed with the garbage. */
  let sampler: ReturnType<LlamaContextSequence['evaluate']> | undefined;

  const eraseLastToken = async (): Promise<void> => {
    if (!isLastForgotten) return;
    isLastForgotten = false;
    const end = sequence.nextTokenIndex;
    await sequence.eraseContextTokenRanges([{ start: end - 1, end }]);
  };
  const step = <Value>(tokens: readonly Token[], start: (tokens: Token[]) => Promise<Value>): Promise<Value> => {
    const task = steps.run(tokens.length, async () => {
      // An aborted reply gives up its place in the step.
      signal.throwIfAborted();
      await eraseLastToken();
      return start([...tokens]);
    });
    currentTask = task.catch(() => undefined);
    return untilAborted(task, signal);
  };
  const evaluateAhead = async (tokens: readonly Token[]): Promise<readonly Token[]> => {
    let remaining = tokens;
    while (remaining.length > stride) {
      await step(remaining.slice(0, stride), (stepTokens) => sequence.evaluateWithoutGeneratingNewTokens(stepTokens));
      remaining = remaining.slice(stride);
    }
    return remaining;
  };
  return {
    async sample(tokens, tokenBias) {
      const remaining = await evaluateAhead(tokens);
      bias = tokenBias ?? noBias;
      return step(remaining, async (stepTokens) => {
        const { temperature, topP, topK, seed } = sampling;
        const options = { temperature, topP, topK, seed, minP: 0, tokenBias: () => bias, yieldEogToken: true };
        sampler ??= sequence.evaluate(stepTokens, options);
        // The first call starts the generator, which has the tokens already.
        const { value } = await sampler.next(stepTokens);
        if (value === undefined) throw new Error('llama.cpp sampled no token');
        return value;
      });
    },
    async scores(tokens, { count, summed, bias: tokenBias }) {
      const remaining = [...(await evaluateAhead(tokens))];
      const last = remaining.pop();
      if (last === undefined) throw new Error('no token to continue from');
      const options = { temperature: 1, topK: summed, topP: 1, minP: 0, seed: 0, ...(tokenBias && { tokenBias }) };
      const logits = { filter: { tokens: [], includeTop: count } };
      return step([...remaining, last], async () => {
        const outputs = await sequence.controlledEvaluate([
          ...remaining,
          [last, { generateNext: { logits, totalLogitWeight: true, options } }],
        ]);
        const { logits: found, totalLogitWeight: totalWeight } = outputs.at(-1)?.next ?? {};
        if (!found || totalWeight === undefined) throw new Error('llama.cpp returned no scores');
        return { logits: found, totalWeight };
      });
    },
    forgetLast() {
      isLastForgotten = true;
    },
    async close() {
      await currentTask;
      await sampler?.return();
    },
  };
}
