import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { after } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import { freshRandom, seededRandom } from '../random.ts';
import type { Biases } from '../sampling/biases.ts';
import { draw } from '../sampling/draw.ts';
import { reportLogprob } from '../sampling/logprob.ts';
import { allowed, scoresOf } from '../sampling/scores.ts';
import type { Scores } from '../sampling/scores.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { startTeller } from './teller.ts';

/**
 * Tokens in the sum of probabilities. Of 262,144 the others together were below float precision, and sorting all of them would
 * double the time per token of a small model.
 */
const summed = 32_768;
/** Tokens that can be sampled: of a vocabulary of 262,144 they had at least 99 % of the probability. */
const looked = 4096;
/** The same above temperature 1, where unlikely tokens matter. Takes 4 ms per token. */
const lookedWhenHot = 16_384;
/** Prompt tokens that are evaluated before the signal is checked again. */
export const stride = 256;

export interface ReplyInit {
  readonly request: ChatRequest;
  readonly sequence: LlamaContextSequence;
  /** The prompt tokens to evaluate, at least one. */
  readonly prompt: readonly Token[];
  readonly guide: Guide | undefined;
  /** Maximum tokens of the reply. */
  readonly limit: number;
  readonly vocabulary: Vocabulary;
  readonly biases: Biases;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly events: AsyncGenerator<readonly ChatEvent[], void, undefined>;
  /** Tokens so far, without the end token. */
  readonly tokens: number;
  /** The part of them that is hidden reasoning. */
  readonly hidden: number;
  /** llama.cpp's current evaluation. */
  readonly work: Promise<unknown>;
}

/** Generates one choice. */
export function startReply(init: ReplyInit): Reply {
  const { request, sequence, limit, vocabulary, biases, signal } = init;
  const teller = startTeller();
  const random = request.seed === undefined ? freshRandom() : seededRandom(request.seed);
  const temper = { temperature: request.temperature, topP: request.top_p };
  const includeTop = request.temperature > 1 ? lookedWhenHot : looked;
  let tokens = 0;
  let hidden = 0;
  let work: Promise<unknown> = Promise.resolve();
  let pending = [...init.prompt];
  let guide = init.guide;
  /** The remaining bytes that complete a reply. */
  let ending: Token[] | undefined;

  const run = <Value>(task: Promise<Value>): Promise<Value> => {
    work = task.catch(() => undefined);
    return untilAborted(task, signal);
  };
  const computeAhead = async (): Promise<void> => {
    while (pending.length > stride) {
      const some = pending.slice(0, stride);
      await run(sequence.evaluateWithoutGeneratingNewTokens(some));
      pending = pending.slice(stride);
    }
  };
  const nextScores = async (): Promise<Scores> => {
    await computeAhead();
    const last = pending.pop();
    if (last === undefined) throw new Error('no token to continue from');
    const tokenBias = biases.forTokens();
    const outputs = await run(
      sequence.controlledEvaluate([
        ...pending,
        [
          last,
          {
            generateNext: {
              logits: { filter: { tokens: [], includeTop } },
              totalLogitWeight: true,
              // Sampled here instead of in llama.cpp: under a grammar, and with one random number generator for the whole
              // reply.
              options: { temperature: 1, topK: summed, topP: 1, minP: 0, seed: 0, ...(tokenBias && { tokenBias }) },
            },
          },
        ],
      ]),
    );
    pending = [];
    const { logits, totalLogitWeight: totalWeight } = outputs.at(-1)?.next ?? {};
    if (!logits || totalWeight === undefined) throw new Error('llama.cpp returned no scores');
    return scoresOf({ logits, totalWeight }, biases.forEnds);
  };
  const may = (id: Token): boolean => {
    if (guide === undefined) return true;
    if (vocabulary.isEnd(id)) return guide.canEnd;
    const bytes = vocabulary.bytes(id);
    return bytes.length === 0 ? guide.free : after(guide, bytes) !== undefined;
  };
  /** The token and its alternatives. */
  const choose = (scores: Scores): readonly [Token | undefined, Scores] => {
    if (guide === undefined) return [draw(scores, temper, random), scores];
    // Samples first and checks afterwards: the rest keeps the same proportions as if disallowed tokens had been removed before.
    if ((!request.logprobs || guide.free) && (temper.topP === 1 || temper.temperature === 0 || guide.free)) {
      const drawn = draw(scores, temper, random);
      if (drawn !== undefined && may(drawn)) return [drawn, scores];
    }
    const left = allowed(scores, may);
    return left ? [draw(left, temper, random), left] : [undefined, scores];
  };
  const completionOf = (from: Guide): readonly Token[] => vocabulary.encode(from.completion());
  /** Whether a constrained reply can still be completed after this token; otherwise its shortest completion replaces it. */
  const settle = (id: Token | undefined, left: number): Token | undefined => {
    if (guide === undefined || (id !== undefined && vocabulary.isEnd(id))) return id;
    if (id === undefined) {
      const shortest = [...completionOf(guide)];
      if (shortest.length === 0) throw new Error('no token is allowed');
      return shortest[0];
    }
    if (guide.canEnd && guide.free) return id;
    const next = after(guide, vocabulary.bytes(id));
    // A completion has at most as many tokens as bytes.
    if (next && (next.completion().length < left || completionOf(next).length < left)) return id;
    const shortest = [...completionOf(guide)];
    // If no completion ever fitted, the reply is truncated.
    if (shortest.length > left) return id;
    ending = shortest;
    return ending.shift();
  };

  async function* generate(): AsyncGenerator<readonly ChatEvent[], void, undefined> {
    for (;;) {
      signal.throwIfAborted();
      if (ending?.length === 0) return yield finish('length');
      if (guide?.mustEnd === true) return yield finish(teller.calls > 0 ? 'tool_calls' : 'stop');
      if (tokens >= limit) return yield finish('length');
      let id = ending?.shift();
      let scores: Scores | undefined;
      let shown: Scores | undefined;
      if (id === undefined || request.logprobs) {
        scores = await nextScores();
        if (id === undefined) {
          const [drawn, from] = choose(scores);
          id = settle(drawn, limit - tokens);
          shown = from;
        }
      }
      if (id === undefined) return yield finish('length');
      if (vocabulary.isEnd(id)) return yield finish(teller.calls > 0 ? 'tool_calls' : 'stop');
      tokens++;
      if (guide?.hidden === true) hidden++;
      biases.said(id);
      pending.push(id);
      const from = shown ?? scores;
      const logprob = request.logprobs && from ? reportLogprob(from, id, request.top_logprobs, vocabulary) : undefined;
      const bytes = vocabulary.bytes(id);
      const events = teller.take(bytes, guide, logprob);
      guide = guide && after(guide, bytes);
      if (events.length > 0) yield events;
    }
  }
  const finish = (reason: 'stop' | 'length' | 'tool_calls'): readonly ChatEvent[] => [
    ...teller.end(),
    { type: 'finish', choice: 0, reason },
  ];

  return {
    events: generate(),
    get tokens() {
      return tokens;
    },
    get hidden() {
      return hidden;
    },
    get work() {
      return work;
    },
  };
}
