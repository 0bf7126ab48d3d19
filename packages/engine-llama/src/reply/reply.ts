import { reportLogprob } from '@modelwire/adapter-kit';
import { trackPrediction } from '@modelwire/adapter-kit/internal';
import type { PredictionCounts } from '@modelwire/adapter-kit/internal';
import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { TokenLogprob } from '@modelwire/schema/types';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { SequenceSteps } from '../evaluation/step-loop.ts';
import { advanceGuide } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import type { Biases } from '../sampling/biases.ts';
import type { AllowedTokenLookup } from '../sampling/allowed-tokens.ts';
import type { ForcedTokenLookup } from '../sampling/forced-tokens.ts';
import type { Scores } from '../sampling/scores.ts';
import { createTokenSampler } from '../sampling/token-sampler.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { echoEvent } from './echo.ts';
import type { EchoedPrompt } from './echo.ts';
import { createEventBuffer } from './event-buffer.ts';
import { createPromptLookup } from './prompt-lookup.ts';
import { createTokenDecoder } from './token-decoder.ts';

export interface ReplyInit {
  readonly request: ChatRequest;
  readonly sequence: LlamaContextSequence;
  readonly steps: SequenceSteps;
  /** The maximum number of prompt tokens that are evaluated in one step. */
  readonly batchSize: number;
  /** The prompt tokens that are not evaluated yet; at least one. */
  readonly prompt: readonly Token[];
  /** The prompt, if the reply starts with it. With log probabilities, none of its tokens is evaluated yet. */
  readonly echo: EchoedPrompt | undefined;
  /** The tokens that the client expects in the reply. */
  readonly predicted: readonly Token[] | undefined;
  /** The whole prompt, if parts of it are expected in the reply. */
  readonly lookupPrompt: readonly Token[] | undefined;
  readonly guide: Guide | undefined;
  /** The maximum number of tokens of the reply, with the rejected tokens of a prediction. */
  readonly limit: number;
  readonly vocabulary: Vocabulary;
  readonly allowedTokens: AllowedTokenLookup;
  readonly forcedTokens: ForcedTokenLookup;
  readonly biases: Biases;
  /** The last tokens of the prompt, for `repeat_penalty`. */
  readonly recentTokens: readonly Token[];
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly events: AsyncGenerator<readonly ChatEvent[], void, undefined>;
  /** The number of tokens so far, without the end token. */
  readonly tokens: number;
  /** The number of them that are hidden reasoning. */
  readonly hidden: number;
  /** The tokens of the prediction that were evaluated ahead. */
  readonly prediction: Readonly<PredictionCounts>;
  /** Stops generation. Resolves when llama.cpp no longer uses the sequence. */
  stop(): Promise<void>;
}

/** After this many required tokens, the next one is sampled, so that a step stays shorter than a part of a prompt. */
const maxForcedTokens = 64;
/** The maximum number of expected tokens that are evaluated ahead in a step. Concurrent replies share them, because they make the step longer. */
const maxDraft = 16;

/**
 * On a CPU, a step with 17 tokens takes 6 to 13 times as long as one with a single token: a draft pays if most of its tokens are right, which
 * the tokens before it show.
 */
const draftLength = (match: number): number => (match === 0 ? 8 : match < 8 ? 0 : Math.min(match, maxDraft));

/** Starts to generate one choice. Generation is a few tokens ahead of the reader. */
export function startReply(init: ReplyInit): Reply {
  const { request, limit, vocabulary, biases, signal } = init;
  const decoder = createTokenDecoder();
  const sampler = createTokenSampler(init);
  const buffer = createEventBuffer(signal, (wake) => init.steps.afterDispatch(wake));
  let tokens = 0;
  let hidden = 0;
  let pending: readonly Token[] = init.prompt;
  let guide = init.guide;
  /** The remaining tokens of a completion that ends the reply. */
  let ending: Token[] | undefined;
  /** The next tokens of a text that the constraint requires. They are evaluated together, with the next token that is sampled. */
  let forced: Token[] = [];
  let isStopped = false;
  const counts = { accepted: 0, rejected: 0 };
  const prediction = init.predicted && trackPrediction(init.predicted, counts, draftLength);
  /** The number of tokens that the reply can still have if the rest of the draft is rejected. */
  const remaining = (): number => limit - tokens - counts.rejected - (prediction?.pending ?? 0);
  const drafts = prediction ?? (init.lookupPrompt && createPromptLookup(init.lookupPrompt, draftLength));
  const draft =
    drafts &&
    ((): readonly Token[] => {
      const share = Math.floor(maxDraft / init.steps.concurrency);
      // The next token, and a completion of the text, must fit into the limit.
      return drafts.draft(Math.min(share, remaining() - 1 - (guide?.completion().length ?? 0)));
    });

  const completionOf = (from: Guide): readonly Token[] => vocabulary.encode(from.completion());
  /** Returns the token if the reply can still be completed within the limit after it, otherwise the first token of a shortest completion. */
  const fitToLimit = (id: Token | undefined, left: number): Token | undefined => {
    if (guide === undefined || (id !== undefined && vocabulary.isEnd(id))) return id;
    if (id === undefined) {
      const shortest = [...completionOf(guide)];
      if (shortest.length === 0) throw new Error('no token is allowed');
      return shortest[0];
    }
    if (guide.canEnd && guide.isUnrestricted) return id;
    const next = advanceGuide(guide, vocabulary.bytes(id));
    // A completion has at most as many tokens as bytes.
    if (next && (next.completion().length < left || completionOf(next).length < left)) return id;
    const shortest = [...completionOf(guide)];
    // Without a completion that fits, the reply is truncated.
    if (shortest.length > left) return id;
    ending = shortest;
    return ending.shift();
  };
  /**
   * The required tokens that come next. The first token is sampled in any case, so that a reply starts when its prompt has been evaluated,
   * and so is each token whose score is reported or changed.
   */
  const nextForced = (): Token[] => {
    if (guide === undefined || tokens === 0 || request.logprobs || !biases.isEmpty) return [];
    if (pending.length > maxForcedTokens) return [];
    const found = init.forcedTokens(guide);
    return found.length > 0 && guide.completion().length < remaining() ? [...found] : [];
  };
  /** The last events. Calls that are complete at the limit have the finish reason `tool_calls`. */
  const finish = (isLimit: boolean): readonly ChatEvent[] => {
    const hasCompleteCalls = decoder.calls > 0 && (!isLimit || guide === undefined || guide.canEnd);
    return [
      ...decoder.end(),
      { type: 'finish', choice: 0, reason: hasCompleteCalls ? 'tool_calls' : isLimit ? 'length' : 'stop' },
    ];
  };
  const echoPrompt = async (echo: EchoedPrompt): Promise<void> => {
    const scores = request.logprobs ? await sampler.promptScores(echo.tokens, request.top_logprobs) : undefined;
    if (scores) pending = echo.tokens.slice(-1);
    buffer.push([echoEvent(echo, scores, request.top_logprobs, vocabulary)]);
  };
  /** The log probability of a token, if it is requested. */
  const logprobOf = (id: Token, scores: Scores | undefined): TokenLogprob | undefined =>
    request.logprobs && scores ? reportLogprob(scores, id, request.top_logprobs, vocabulary.describe) : undefined;
  /** The events of the token that ends the reply. It counts in the log probabilities of a reply with its prompt, as one without text. */
  const endWith = (id: Token, scores: Scores | undefined): readonly ChatEvent[] => {
    const logprob = init.echo && logprobOf(id, scores);
    const last = logprob && ({ type: 'text', choice: 0, text: '', tokens: 0, logprobs: [logprob] } as const);
    const [finished, ...rest] = [...finish(false)].reverse();
    return finished ? [...rest.reverse(), ...(last ? [last] : []), finished] : [];
  };
  /** Generates the reply and returns its last events. */
  const generate = async (): Promise<readonly ChatEvent[]> => {
    if (init.echo) await echoPrompt(init.echo);
    while (!isStopped) {
      signal.throwIfAborted();
      if (ending?.length === 0) return finish(true);
      if (guide?.mustEnd === true) return finish(false);
      if (tokens + counts.rejected >= limit) return finish(true);
      if (ending === undefined && forced.length === 0) forced = nextForced();
      let id = ending ? ending.shift() : forced.shift();
      let scores;
      if (id === undefined) {
        const sample = await sampler.sample(pending, guide, draft);
        pending = [];
        id = fitToLimit(sample.token, remaining());
        scores = sample.scores;
      } else if (request.logprobs) {
        scores = await sampler.scores(pending);
        pending = [];
      }
      if (id === undefined) return finish(true);
      if (vocabulary.isEnd(id)) return endWith(id, scores);
      tokens++;
      drafts?.take(id);
      if (guide?.isHidden === true) hidden++;
      biases.countToken(id);
      pending = [...pending, id];
      const events = decoder.take(vocabulary.bytes(id), guide, logprobOf(id, scores));
      guide = guide && advanceGuide(guide, vocabulary.bytes(id));
      if (events.length > 0) buffer.push(events);
      await buffer.waitForRoom();
    }
    return [];
  };
  const work = (async () => {
    try {
      const last = await generate();
      prediction?.end();
      buffer.push(last);
      buffer.end();
    } catch (error) {
      buffer.end(error instanceof Error ? error : new Error(String(error)));
    }
    // llama.cpp finishes an evaluation that it has started.
    await sampler.close().catch(() => undefined);
  })();

  return {
    events: buffer.read(),
    get tokens() {
      return tokens;
    },
    get hidden() {
      return hidden;
    },
    prediction: counts,
    stop() {
      isStopped = true;
      buffer.cancel();
      return work;
    },
  };
}
