import type { ChatRequest } from '@modelwire/ports';
import type { LlamaContextSequence, Token, TokenBias } from 'node-llama-cpp';
import { createEvaluator } from '../evaluation/evaluator.ts';
import type { ScoresQuery } from '../evaluation/evaluator.ts';
import type { SequenceSteps } from '../evaluation/step-loop.ts';
import { advanceGuide } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import { freshRandom, seededRandom } from '../random.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { Biases } from './biases.ts';
import { choose, nucleus, truncates } from './choose.ts';
import type { TokenFilter } from './choose.ts';
import { allowed, scoresOf } from './scores.ts';
import type { RawScores, Scores } from './scores.ts';
import type { AllowedTokenLookup } from './allowed-tokens.ts';

/**
 * Tokens that are less likely than this part of the most likely one, at the temperature, are not drawn: in a vocabulary of 49,152, all of them
 * together had a probability of 0.06 %.
 */
const negligibleRatio = 1e-6;
/** The maximum number of tokens whose scores are returned. */
const maxScores = 4096;
/** The same above temperature 1, where unlikely tokens matter. */
const maxScoresAboveTemperature1 = 16_384;
/** The number of scores that are requested first for `top_p`. */
const firstScores = 256;
/** The number of recent tokens of the prompt and the reply that `repeat_penalty` applies to, as in llama.cpp. */
export const repeatWindow = 64;
/** Scores for log probabilities when the most likely token is selected. */
const scoresWhenGreedy = 64;
/** The number of disallowed tokens that are excluded one by one at a position, before the scores of all likely tokens are requested. */
const maxExcluded = 3;
/** Added to the scores of the allowed tokens if there are few: a `logit_bias` of up to 100 cannot outweigh it. */
const allowedBias = 300;

/** The biases of sets of allowed tokens, for replies without other biases. */
const plainBiases = new WeakMap<readonly Token[], TokenBias>();

interface Sample {
  /** Undefined if none of the most likely tokens is allowed. */
  readonly token: Token | undefined;
  /** The scores from which log probabilities are reported. */
  readonly scores: Scores | undefined;
}

/** Samples the tokens of one reply. */
export interface TokenSampler {
  /** Evaluates tokens and samples the next one. Those of a draft are evaluated in the same step, if the next samples do not depend on them. */
  sample(tokens: readonly Token[], guide: Guide | undefined, draft?: () => readonly Token[]): Promise<Sample>;
  /** Evaluates tokens and returns the scores of the next one, without sampling it. */
  scores(tokens: readonly Token[]): Promise<Scores>;
  /** Evaluates all tokens but the last one, and returns the scores of each token after the first. */
  promptScores(tokens: readonly Token[], top: number): Promise<readonly RawScores[]>;
  close(): Promise<void>;
}

export interface TokenSamplerInit {
  readonly request: ChatRequest;
  readonly sequence: LlamaContextSequence;
  readonly steps: SequenceSteps;
  readonly batchSize: number;
  readonly vocabulary: Vocabulary;
  readonly allowedTokens: AllowedTokenLookup;
  readonly biases: Biases;
  /** The last tokens of the prompt, for `repeat_penalty`. */
  readonly recentTokens: readonly Token[];
  readonly signal: AbortSignal;
}

/**
 * Samples in llama.cpp where possible. Scores are passed to JavaScript only for log probabilities, for `top_p` with a temperature other than
 * 1 (llama.cpp applies them in the opposite order), for a bias on end tokens (which node-llama-cpp ignores), and if none of the first choices
 * of the model satisfies the constraint.
 */
export function createTokenSampler(init: TokenSamplerInit): TokenSampler {
  const { request, sequence, steps, batchSize, vocabulary, biases, signal } = init;
  const { temperature, top_p: topP, logprobs, min_p: minP = 0, top_k: requestedTopK = 0 } = request;
  const { repeat_penalty: penalty = 1, typical_p: typicalP = 1 } = request;
  const random = request.seed === undefined ? freshRandom() : seededRandom(request.seed);
  const isGreedy = temperature === 0;
  const mostScores = temperature > 1 ? maxScoresAboveTemperature1 : maxScores;
  let recent = init.recentTokens.slice(-repeatWindow);
  let hasEvaluatedPrompt = false;
  const remember = (tokens: readonly Token[]): void => {
    if (hasEvaluatedPrompt && penalty !== 1) recent = [...recent, ...tokens].slice(-repeatWindow);
    hasEvaluatedPrompt = true;
  };
  const evaluator = createEvaluator({
    ...{ sequence, steps, batchSize, signal, createBias: biases.createBias },
    isReproducible: request.seed !== undefined && !isGreedy,
    sampling: {
      temperature,
      topP: isGreedy ? 1 : topP,
      // node-llama-cpp sorts all tokens for 0.
      topK: requestedTopK > 0 ? requestedTopK : mostScores,
      // llama.cpp compares before it applies the temperature.
      minP: isGreedy ? 0 : Math.max(minP, negligibleRatio) ** temperature,
      seed: Math.floor(random() * 0xffff_ffff),
      repeatPenalty: penalty === 1 ? undefined : { penalty, punishTokens: () => recent, maxPunishTokens: repeatWindow },
    },
  });
  const isNative =
    !logprobs && biases.forEndTokens.size === 0 && (isGreedy || ((topP === 1 || temperature === 1) && typicalP >= 1));
  // The state of a recurrent model cannot be rolled back.
  const canEraseLast = !sequence.model.fileInsights.isRecurrent;
  /** Whether a token can be sampled before the ones before it are chosen. */
  const canSampleAhead = isNative && biases.isEmpty && penalty === 1;
  /** Whether sampling before checking is equivalent to removing disallowed tokens first, which `top_p`, `top_k` and `min_p` prevent. */
  const samplesBeforeCheck = !truncates(request);

  const filterOf = (guide: Guide): TokenFilter => ({
    allows: (id) => {
      if (vocabulary.isEnd(id)) return guide.canEnd;
      const bytes = vocabulary.bytes(id);
      return bytes.length === 0 ? guide.isUnrestricted : advanceGuide(guide, bytes) !== undefined;
    },
    isUnrestricted: guide.isUnrestricted,
  });
  const biasFor = (allowed: readonly Token[] | undefined, excluded: readonly Token[]): TokenBias | undefined => {
    if (allowed === undefined) {
      return excluded.length === 0
        ? biases.forTokens()
        : biases.forTokens(new Map(excluded.map((id) => [id, -Infinity])));
    }
    const known = biases.isEmpty ? plainBiases.get(allowed) : undefined;
    const made = known ?? biases.forTokens(new Map(allowed.map((id) => [id, allowedBias])));
    if (made && biases.isEmpty) plainBiases.set(allowed, made);
    return made;
  };
  /** Returns an allowed token, or the tokens that must be evaluated to request scores: the last one is removed from the sequence. */
  const sampleNatively = async (
    tokens: readonly Token[],
    guide: Guide | undefined,
    draft: (() => readonly Token[]) | undefined,
  ): Promise<Token | { readonly remaining: readonly Token[] }> => {
    const drafted = canSampleAhead ? draft : undefined;
    if (guide === undefined)
      return drafted ? evaluator.sampleAhead(tokens, drafted) : evaluator.sample(tokens, biases.forTokens());
    const filter = filterOf(guide);
    const few = drafted && evaluator.isAheadOf(tokens) ? undefined : init.allowedTokens(guide);
    const excluded: Token[] = [];
    if (few === undefined && !filter.isUnrestricted && !samplesBeforeCheck) return { remaining: tokens };
    let rest = tokens;
    for (;;) {
      const isUnbiased = few === undefined && excluded.length === 0;
      const token =
        drafted && isUnbiased
          ? await evaluator.sampleAhead(rest, drafted)
          : await evaluator.sample(rest, biasFor(few?.length === 0 ? undefined : few, excluded));
      if (filter.allows(token)) return token;
      evaluator.eraseLast();
      rest = rest.slice(-1);
      excluded.push(token);
      // node-llama-cpp does not apply biases to end tokens.
      if (few !== undefined || filter.isUnrestricted || vocabulary.isEnd(token) || excluded.length > maxExcluded) {
        return { remaining: rest };
      }
    }
  };
  const scores = async (
    tokens: readonly Token[],
    query: Pick<ScoresQuery, 'count' | 'topK' | 'minP' | 'temperature'>,
  ) => scoresOf(await evaluator.scores(tokens, { ...query, bias: biases.forTokens() }), biases.forEndTokens);
  /** Scores at temperature 1. A grammar may allow only tokens that are very unlikely. */
  const mostLikely = (
    tokens: readonly Token[],
    isRestricted: boolean,
    whenGreedy = scoresWhenGreedy,
  ): Promise<Scores> =>
    scores(tokens, {
      count: isGreedy && logprobs && biases.forEndTokens.size === 0 && !isRestricted ? whenGreedy : mostScores,
      topK: logprobs && !isRestricted ? 0 : mostScores,
      minP: isRestricted || logprobs ? 0 : negligibleRatio ** Math.max(1, temperature),
      temperature: 1,
    });
  const canUseFewScores =
    !logprobs &&
    !isGreedy &&
    topP < 1 &&
    requestedTopK === 0 &&
    typicalP >= 1 &&
    biases.forEndTokens.size === 0 &&
    canEraseLast;
  /** Draws from the scores at the temperature of the tokens that `top_p` leaves, if they are among the first ones. */
  const drawFromFew = async (tokens: readonly Token[], filter: TokenFilter | undefined): Promise<Token | undefined> => {
    const minP = negligibleRatio ** temperature;
    const few = await scores(tokens, { count: firstScores, topK: mostScores, minP, temperature });
    const isRestricted = filter?.isUnrestricted === false;
    const usable = isRestricted ? allowed(few, (id) => filter.allows(id)) : few;
    // The grammar may allow any part of the others.
    const left = usable && nucleus(usable, topP, [isRestricted ? 0 : usable.rest, usable.rest]);
    const options = { ...request, temperature: 1, top_p: 1 };
    const token = left && choose(left, filter, options, random, false).token;
    if (token === undefined) evaluator.eraseLast();
    return token;
  };
  return {
    async sample(tokens, guide, draft) {
      remember(tokens);
      let rest = tokens;
      if (isNative && (guide === undefined || canEraseLast)) {
        const sampled = await sampleNatively(tokens, guide, draft);
        if (typeof sampled === 'number') return { token: sampled, scores: undefined };
        rest = sampled.remaining;
      }
      const filter = guide && filterOf(guide);
      if (canUseFewScores) {
        const token = await drawFromFew(rest, filter);
        if (token !== undefined) return { token, scores: undefined };
        rest = rest.slice(-1);
      }
      const isRestricted = filter !== undefined && (!filter.isUnrestricted || !canEraseLast);
      const needed = guide === undefined && request.top_logprobs <= 1 ? 1 : scoresWhenGreedy;
      const choice = choose(await mostLikely(rest, isRestricted, needed), filter, request, random, logprobs);
      if (choice.token !== undefined || isRestricted || filter === undefined) return choice;
      // Only tokens that are much more likely than all others are not allowed, such as one with a large bias.
      evaluator.eraseLast();
      return choose(await mostLikely(rest.slice(-1), true), filter, request, random, logprobs);
    },
    scores(tokens) {
      remember(tokens);
      return mostLikely(tokens, false);
    },
    promptScores: (tokens, top) => evaluator.promptScores(tokens, top),
    close: () => evaluator.close(),
  };
}
