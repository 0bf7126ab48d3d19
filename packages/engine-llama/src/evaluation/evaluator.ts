import type { LlamaContextSequence, LlamaContextSequenceRepeatPenalty, Token, TokenBias } from 'node-llama-cpp';
import type { RawScores } from '../sampling/scores.ts';
import { raceAbort } from '@modelwire/adapter-kit';
import { seededRandom } from '../random.ts';
import type { SequenceSteps } from './step-loop.ts';

/** The sampling parameters of llama.cpp. */
export interface NativeSampling {
  readonly temperature: number;
  readonly topP: number;
  /** The number of tokens that can be sampled. */
  readonly topK: number;
  /** Before the temperature is applied. */
  readonly minP: number;
  readonly seed: number;
  readonly repeatPenalty: LlamaContextSequenceRepeatPenalty | undefined;
}

export interface ScoresQuery {
  /** The number of returned scores, which are those of the most likely tokens. A single one is found without sorting the others. */
  readonly count: number;
  /** The number of the most likely tokens that are normalized; 0 for all. */
  readonly topK: number;
  /** Tokens whose probability is less than this part of that of the most likely one are left out of the normalization. */
  readonly minP: number;
  /** The scores are those at this temperature. */
  readonly temperature: number;
  readonly bias: TokenBias | undefined;
}

/** The number of prompt tokens that are scored in one step: llama.cpp allocates the scores of the whole vocabulary for each. */
const scoredChunkTokens = 64;

/** Evaluates tokens in the sequence of one reply. Tokens are appended to those that the sequence already contains. */
export interface Evaluator {
  /** Evaluates tokens and samples the next one in llama.cpp, without passing scores to JavaScript. */
  sample(tokens: readonly Token[], bias: TokenBias | undefined): Promise<Token>;
  /**
   * Like `sample`, without a bias. In the same step it evaluates a draft of the tokens that probably follow, and samples after each of them. As
   * far as they do follow, the next calls return what was sampled. The sampled tokens do not depend on the draft.
   */
  sampleAhead(tokens: readonly Token[], draft: () => readonly Token[]): Promise<Token>;
  /** Whether the token after these has been sampled ahead. */
  isAheadOf(tokens: readonly Token[]): boolean;
  /** Evaluates tokens and returns the scores of the next one. */
  scores(tokens: readonly Token[], query: ScoresQuery): Promise<RawScores>;
  /** Evaluates all tokens but the last one, and returns the scores of each token after the first, with those of the `top` most likely ones. */
  promptScores(tokens: readonly Token[], top: number): Promise<readonly RawScores[]>;
  /** Removes the last token before the next evaluation, which must evaluate it again, because a sequence does not keep its scores. */
  eraseLast(): void;
  /** Resolves when llama.cpp no longer uses the sequence. */
  close(): Promise<void>;
}

export interface EvaluatorInit {
  readonly sequence: LlamaContextSequence;
  readonly steps: SequenceSteps;
  /** The maximum number of prompt tokens that are evaluated in one step. The signal is checked between steps. */
  readonly batchSize: number;
  readonly sampling: NativeSampling;
  /** Whether a token that can be sampled ahead must be the same if it is not. */
  readonly isReproducible: boolean;
  readonly createBias: () => TokenBias;
  readonly signal: AbortSignal;
}

export function createEvaluator({
  sequence,
  steps,
  batchSize,
  sampling,
  isReproducible,
  createBias,
  signal,
}: EvaluatorInit): Evaluator {
  const noBias = createBias();
  let bias = noBias;
  /** The last evaluation. It continues after the reply has been aborted. */
  let currentTask: Promise<unknown> = Promise.resolve();
  /** The number of tokens at the end of the sequence that are removed before the next evaluation. */
  let erased = 0;
  /** The number of samples that were discarded, so that their random numbers are not used again. */
  let discarded = 0;
  /** The tokens that have been evaluated ahead, and what was sampled after each. */
  let ahead: readonly { readonly token: Token; readonly next: Token }[] = [];
  let hasEvaluatedPrompt = false;
  /** Used for the whole reply: each sampler allocates a score per token of the vocabulary, which only a garbage collection frees. */
  let sampler: ReturnType<LlamaContextSequence['evaluate']> | undefined;

  const eraseTokens = async (): Promise<void> => {
    if (erased === 0) return;
    const end = sequence.nextTokenIndex;
    const start = end - erased;
    erased = 0;
    await sequence.eraseContextTokenRanges([{ start, end }]);
  };
  const isAheadOf = (tokens: readonly Token[]): boolean => tokens.every((token, at) => ahead[at]?.token === token);
  /** Forgets what has been sampled ahead. Returns the tokens that are left to evaluate, at least the last one. */
  const withoutAhead = (tokens: readonly Token[]): readonly Token[] => {
    const other = tokens.findIndex((token, at) => ahead[at]?.token !== token);
    const count = other === -1 ? tokens.length - 1 : other;
    erased += ahead.length - count;
    ahead = [];
    return tokens.slice(count);
  };
  const seedAt = (position: number): number => {
    const random = seededRandom((BigInt(sampling.seed + discarded) << 32n) + BigInt(position));
    return Math.floor(random() * 0xffff_ffff);
  };
  const step = <Value>(tokens: readonly Token[], start: (tokens: Token[]) => Promise<Value>): Promise<Value> => {
    const task = steps.run(hasEvaluatedPrompt ? 'reply' : 'prompt', tokens.length, async () => {
      // An aborted reply does not take part in the step.
      signal.throwIfAborted();
      await eraseTokens();
      return start([...tokens]);
    });
    currentTask = task.catch(() => undefined);
    return raceAbort(task, signal);
  };
  /** Evaluates all tokens but those of the last step, and returns these. */
  const evaluateFirst = async (tokens: readonly Token[]): Promise<readonly Token[]> => {
    let remaining = withoutAhead(tokens);
    while (remaining.length > batchSize) {
      await step(remaining.slice(0, batchSize), (stepTokens) =>
        sequence.evaluateWithoutGeneratingNewTokens(stepTokens),
      );
      remaining = remaining.slice(batchSize);
    }
    return remaining;
  };
  const sample = async (tokens: readonly Token[], tokenBias: TokenBias | undefined): Promise<Token> => {
    const remaining = await evaluateFirst(tokens);
    bias = tokenBias ?? noBias;
    return step(remaining, async (stepTokens) => {
      const { repeatPenalty, ...parameters } = sampling;
      const penalized = repeatPenalty && { repeatPenalty };
      const options = { ...parameters, ...penalized, tokenBias: () => bias, yieldEogToken: true };
      sampler ??= sequence.evaluate(stepTokens, options);
      // The first call starts the generator, which already has the tokens, and ignores its argument.
      const { value } = await sampler.next(stepTokens);
      hasEvaluatedPrompt = true;
      return sampledToken(value ?? undefined);
    });
  };
  return {
    sample,
    isAheadOf,
    async sampleAhead(tokens, draft) {
      const known = isAheadOf(tokens) ? ahead[tokens.length - 1] : undefined;
      if (known) {
        ahead = ahead.slice(tokens.length);
        return known.next;
      }
      const remaining = await evaluateFirst(tokens);
      const drafted = draft();
      if (drafted.length === 0 && !isReproducible) return sample(remaining, undefined);
      return step([...remaining, ...drafted], async (stepTokens) => {
        const start = sequence.nextTokenIndex;
        const outputs = await sequence.controlledEvaluate(
          stepTokens.map((token, at) => {
            if (at < remaining.length - 1) return token;
            const options = { ...sampling, repeatPenalty: undefined, seed: seedAt(start + at) };
            return [token, { generateNext: { token: true, options } }];
          }),
        );
        hasEvaluatedPrompt = true;
        const sampled = outputs.slice(remaining.length - 1).map((output) => sampledToken(output?.next.token));
        const wrong = drafted.findIndex((token, at) => token !== sampled[at]);
        const right = wrong === -1 ? drafted : drafted.slice(0, wrong);
        ahead = right.map((token, at) => ({ token, next: sampledToken(sampled[at + 1]) }));
        erased = drafted.length - right.length;
        return sampledToken(sampled[0]);
      });
    },
    async scores(tokens, { count, topK, minP, temperature, bias: tokenBias }) {
      const remaining = [...(await evaluateFirst(tokens))];
      const last = remaining.pop();
      if (last === undefined) throw new Error('there is no token to evaluate');
      const { repeatPenalty } = sampling;
      const changes = { ...(tokenBias && { tokenBias }), ...(repeatPenalty && { repeatPenalty }) };
      const options = { temperature: count === 1 ? 0 : temperature, topK, topP: 1, minP, seed: 0, ...changes };
      const logits = scoresOfMostLikely(count);
      return step([...remaining, last], async () => {
        const outputs = await sequence.controlledEvaluate([
          ...remaining,
          [last, { generateNext: { logits, totalLogitWeight: true, options } }],
        ]);
        hasEvaluatedPrompt = true;
        const { logits: found, totalLogitWeight: totalWeight } = outputs.at(-1)?.next ?? {};
        if (!found || totalWeight === undefined) throw new Error('llama.cpp returned no scores');
        return { logits: found, totalWeight };
      });
    },
    async promptScores(tokens, top) {
      const found: RawScores[] = [];
      const options = { temperature: 0, topK: 0, topP: 1, minP: 0, seed: 0 };
      for (let start = 0; start < tokens.length - 1; start += scoredChunkTokens) {
        const chunk = tokens.slice(start, Math.min(start + scoredChunkTokens, tokens.length - 1));
        const outputs = await step(chunk, (stepTokens) =>
          sequence.controlledEvaluate(
            stepTokens.map((token, at) => {
              const next = tokens.slice(start + at + 1, start + at + 2);
              const logits = scoresOfMostLikely(top, next);
              return [token, { generateNext: { logits, totalLogitWeight: true, options } }];
            }),
          ),
        );
        for (const output of outputs) {
          const { logits, totalLogitWeight: totalWeight } = output?.next ?? {};
          if (!logits || totalWeight === undefined) throw new Error('llama.cpp returned no scores');
          found.push({ logits, totalWeight });
        }
      }
      return found;
    },
    eraseLast() {
      erased += ahead.length + 1;
      ahead = [];
      discarded++;
    },
    async close() {
      await currentTask;
      await sampler?.return();
    },
  };
}

/** Requests the scores of the most likely tokens, and those of the given ones. At temperature 0 the most likely one is that which is sampled. */
function scoresOfMostLikely(count: number, tokens: readonly Token[] = []) {
  return { filter: { tokens, ...(count > 1 ? { includeTop: count } : { includeSelected: true }) } };
}

function sampledToken(token: Token | null | undefined): Token {
  if (token === undefined || token === null) throw new Error('llama.cpp sampled no token');
  return token;
}
