import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { SequenceSteps } from '../evaluation/step-loop.ts';
import { advanceGuide } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import type { Biases } from '../sampling/biases.ts';
import { reportLogprob } from '../sampling/logprob.ts';
import type { SmallSets } from '../sampling/small-sets.ts';
import { createTokenSampler } from '../sampling/token-sampler.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { createEventBuffer } from './event-buffer.ts';
import { createTokenDecoder } from './token-decoder.ts';

export interface ReplyInit {
  readonly request: ChatRequest;
  readonly sequence: LlamaContextSequence;
  readonly steps: SequenceSteps;
  /** The prompt tokens to evaluate, at least one. */
  readonly prompt: readonly Token[];
  readonly guide: Guide | undefined;
  /** Maximum tokens of the reply. */
  readonly limit: number;
  readonly vocabulary: Vocabulary;
  readonly smallSets: SmallSets;
  readonly biases: Biases;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly events: AsyncGenerator<readonly ChatEvent[], void, undefined>;
  /** Tokens so far, without the end token. */
  readonly tokens: number;
  /** The part of them that is hidden reasoning. */
  readonly hidden: number;
  /** Ends generation. Resolves when llama.cpp no longer uses the sequence. */
  stop(): Promise<void>;
}

/** Generates one choice, ahead of its reader by a few tokens. */
export function startReply(init: ReplyInit): Reply {
  const { request, limit, vocabulary, biases, signal } = init;
  const teller = createTokenDecoder();
  const sampler = createTokenSampler(init);
  const buffer = createEventBuffer(signal, (wake) => init.steps.afterDispatch(wake));
  let tokens = 0;
  let hidden = 0;
  let pending: readonly Token[] = init.prompt;
  let guide = init.guide;
  /** The remaining tokens that complete a reply. */
  let ending: Token[] | undefined;
  let isStopped = false;

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
    const next = advanceGuide(guide, vocabulary.bytes(id));
    // A completion has at most as many tokens as bytes.
    if (next && (next.completion().length < left || completionOf(next).length < left)) return id;
    const shortest = [...completionOf(guide)];
    // If no completion ever fitted, the reply is truncated.
    if (shortest.length > left) return id;
    ending = shortest;
    return ending.shift();
  };
  /** At the limit, calls that are complete are calls as any others. */
  const finish = (isLimit: boolean): readonly ChatEvent[] => {
    const hasWholeCalls = teller.calls > 0 && (!isLimit || guide === undefined || guide.canEnd);
    return [
      ...teller.end(),
      { type: 'finish', choice: 0, reason: hasWholeCalls ? 'tool_calls' : isLimit ? 'length' : 'stop' },
    ];
  };
  /** Returns the last events. */
  const generate = async (): Promise<readonly ChatEvent[]> => {
    while (!isStopped) {
      signal.throwIfAborted();
      if (ending?.length === 0) return finish(true);
      if (guide?.mustEnd === true) return finish(false);
      if (tokens >= limit) return finish(true);
      let id = ending?.shift();
      let scores;
      if (id === undefined) {
        const sample = await sampler.sample(pending, guide);
        pending = [];
        id = settle(sample.token, limit - tokens);
        scores = sample.scores;
      } else if (request.logprobs) {
        scores = await sampler.scores(pending);
        pending = [];
      }
      if (id === undefined) return finish(true);
      if (vocabulary.isEnd(id)) return finish(false);
      tokens++;
      if (guide?.hidden === true) hidden++;
      biases.said(id);
      pending = [...pending, id];
      const logprob =
        request.logprobs && scores ? reportLogprob(scores, id, request.top_logprobs, vocabulary) : undefined;
      const events = teller.take(vocabulary.bytes(id), guide, logprob);
      guide = guide && advanceGuide(guide, vocabulary.bytes(id));
      if (events.length > 0) buffer.push(events);
      await buffer.room();
    }
    return [];
  };
  const work = (async () => {
    try {
      buffer.push(await generate());
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
    stop() {
      isStopped = true;
      buffer.abandon();
      return work;
    },
  };
}
