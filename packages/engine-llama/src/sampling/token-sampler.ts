import type { ChatRequest } from '@modelwire/ports';
import type { LlamaContextSequence, Token, TokenBias } from 'node-llama-cpp';
import { createEvaluator } from '../evaluation/evaluator.ts';
import type { SequenceSteps } from '../evaluation/step-loop.ts';
import { advanceGuide } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import { freshRandom, seededRandom } from '../random.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { Biases } from './biases.ts';
import { choose } from './choose.ts';
import type { TokenRule } from './choose.ts';
import { scoresOf } from './scores.ts';
import type { Scores } from './scores.ts';
import type { SmallSets } from './small-sets.ts';

/**
 * Tokens in the sum of probabilities. Of 262,144 the others together were below float precision, and sorting all of them would
 * double the time per token of a small model.
 */
const summed = 32_768;
/** Tokens that can be sampled: of a vocabulary of 262,144 they had at least 99 % of the probability. */
const looked = 4096;
/** The same above temperature 1, where unlikely tokens matter. */
const lookedWhenHot = 16_384;
/** Scores for log probabilities when the most likely token is selected. */
const lookedWhenGreedy = 64;
/** Tokens of one position that llama.cpp samples again without, before all likely tokens are checked. */
const mostExcluded = 3;
/** Added to the scores of the few allowed tokens: more than a `logit_bias` of 100 makes up for. */
const allowedBias = 300;

/** The biases of small sets for replies without other biases. */
const plainBiases = new WeakMap<readonly Token[], TokenBias>();

/** A sampled token; with log probabilities, the scores that they are reported from. */
export interface Sample {
  /** Undefined when none of the most likely tokens is allowed. */
  readonly token: Token | undefined;
  readonly scores: Scores | undefined;
}

/** Samples the tokens of one reply. */
export interface TokenSampler {
  /** Evaluates these tokens and samples the next. */
  sample(tokens: readonly Token[], guide: Guide | undefined): Promise<Sample>;
  /** The scores of the next token, for one that is chosen otherwise. */
  scores(tokens: readonly Token[]): Promise<Scores>;
  close(): Promise<void>;
}

export interface TokenSamplerInit {
  readonly request: ChatRequest;
  readonly sequence: LlamaContextSequence;
  readonly steps: SequenceSteps;
  readonly vocabulary: Vocabulary;
  readonly smallSets: SmallSets;
  readonly biases: Biases;
  readonly signal: AbortSignal;
}

/**
 * Samples in llama.cpp wherever it can, and passes scores to JavaScript only for log probabilities, for `top_p` with another
 * temperature than 1 (llama.cpp applies them in the other order), for a bias on end tokens (which node-llama-cpp ignores), and
 * under a constraint that the model contradicts.
 */
export function createTokenSampler(init: TokenSamplerInit): TokenSampler {
  const { request, sequence, steps, vocabulary, biases, signal } = init;
  const { temperature, top_p: topP, logprobs } = request;
  const random = request.seed === undefined ? freshRandom() : seededRandom(request.seed);
  const isGreedy = temperature === 0;
  const most = temperature > 1 ? lookedWhenHot : looked;
  const evaluator = createEvaluator({
    ...{ sequence, steps, signal, createBias: biases.create },
    sampling: { temperature, topP: isGreedy ? 1 : topP, topK: most, seed: Math.floor(random() * 0xffff_ffff) },
  });
  const isNative = !logprobs && biases.forEnds.size === 0 && (isGreedy || topP === 1 || temperature === 1);
  // A recurrent state cannot go back by one token.
  const canForget = !sequence.model.fileInsights.isRecurrent;
  /** Whether llama.cpp applies `top_p` as if disallowed tokens had been removed before. */
  const samplesBeforeCheck = isGreedy || topP === 1;

  const ruleOf = (guide: Guide): TokenRule => ({
    allows: (id) => {
      if (vocabulary.isEnd(id)) return guide.canEnd;
      const bytes = vocabulary.bytes(id);
      return bytes.length === 0 ? guide.free : advanceGuide(guide, bytes) !== undefined;
    },
    isFree: guide.free,
  });
  const biasFor = (allowed: readonly Token[] | undefined, excluded: readonly Token[]): TokenBias | undefined => {
    if (allowed === undefined) {
      return excluded.length === 0
        ? biases.forTokens()
        : biases.forTokens(new Map(excluded.map((id) => [id, -Infinity])));
    }
    const known = biases.areNone ? plainBiases.get(allowed) : undefined;
    const made = known ?? biases.forTokens(new Map(allowed.map((id) => [id, allowedBias])));
    if (made && biases.areNone) plainBiases.set(allowed, made);
    return made;
  };
  /** The token, or the tokens whose scores are then to be asked for: the sequence does not have the last of them any more. */
  const sampleNatively = async (
    tokens: readonly Token[],
    guide: Guide | undefined,
  ): Promise<Token | { readonly again: readonly Token[] }> => {
    if (guide === undefined) return evaluator.sample(tokens, biases.forTokens());
    const rule = ruleOf(guide);
    const few = init.smallSets(guide);
    const excluded: Token[] = [];
    if (few === undefined && !rule.isFree && !samplesBeforeCheck) return { again: tokens };
    let rest = tokens;
    for (;;) {
      const token = await evaluator.sample(rest, biasFor(few?.length === 0 ? undefined : few, excluded));
      if (rule.allows(token)) return token;
      evaluator.forgetLast();
      rest = rest.slice(-1);
      excluded.push(token);
      // node-llama-cpp biases no end token.
      if (few !== undefined || rule.isFree || vocabulary.isEnd(token) || excluded.length > mostExcluded) {
        return { again: rest };
      }
    }
  };
  const scores = async (tokens: readonly Token[], isRestricted = false): Promise<Scores> => {
    const isShort = isGreedy && logprobs && biases.forEnds.size === 0 && !isRestricted;
    const count = isShort ? lookedWhenGreedy : most;
    const raw = await evaluator.scores(tokens, {
      count,
      summed: logprobs ? Math.max(summed, count) : count,
      bias: biases.forTokens(),
    });
    return scoresOf(raw, biases.forEnds);
  };
  return {
    async sample(tokens, guide) {
      let rest = tokens;
      if (isNative && (guide === undefined || canForget)) {
        const sampled = await sampleNatively(tokens, guide);
        if (typeof sampled === 'number') return { token: sampled, scores: undefined };
        rest = sampled.again;
      }
      const rule = guide && ruleOf(guide);
      const found = await scores(rest, guide?.free === false);
      const choice = choose(found, rule, { temperature, topP }, random, logprobs);
      return { token: choice.token, scores: choice.scores };
    },
    scores: (tokens) => scores(tokens),
    close: () => evaluator.close(),
  };
}
