import { randomUUID } from 'node:crypto';
import { createCallId, stopTables } from '@modelwire/adapter-kit';
import { trackPrediction } from '@modelwire/adapter-kit/internal';
import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { FinishReason } from '@modelwire/schema/types';
import { shortenWith } from '../constraint.ts';
import type { PlannedPart } from '../plan.ts';
import { seededRandom } from '../random.ts';
import { samplingOf } from '../sampling/distribution.ts';
import { exactTokens, sampleTemplate } from '../sampling/token-source.ts';
import { endOfText } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { createTextStream } from './text-stream.ts';
import type { TextChunk } from './text-stream.ts';

/** Maximum number of tokens of a reply, regardless of the request. A reply that reaches it finishes with `length`. */
export const maxReplyTokens = 4096;
/** Maximum length of a prediction in UTF-16 units: no reply can contain more of it. */
const maxPrediction = 32_768;
/** The number of predicted tokens in a draft. */
const draftLength = 16;

/** Tokens of a reply so far. */
export interface TokenCounts {
  /** Tokens that are sent, including names of tools but not an omitted stop sequence. */
  sent: number;
  reasoning: number;
  /** Tokens of the prediction that were generated, and those that were drafted in vain. */
  accepted: number;
  rejected: number;
}

export const zeroCounts: Readonly<TokenCounts> = Object.freeze({ sent: 0, reasoning: 0, accepted: 0, rejected: 0 });

/** Generates the parts of a planned reply. Yields before each token, except for accepted tokens of a draft. Returns the finish reason. */
export function* generateParts(
  request: ChatRequest,
  parts: readonly PlannedPart[],
  tokenizer: Tokenizer,
  counts: TokenCounts,
  emit: (event: ChatEvent) => void,
): Generator<void, FinishReason> {
  const sampling = samplingOf(request);
  const stop = stopTables(request.stop);
  const topLogprobs = request.logprobs ? request.top_logprobs : undefined;
  const limit = Math.min(request.max_completion_tokens ?? Infinity, maxReplyTokens);
  const predicted = tokenizer.encode((request.prediction ?? '').slice(0, maxPrediction));
  const prediction = trackPrediction(predicted, counts, () => draftLength);
  const seed = request.seed === undefined ? randomUUID() : `seed ${request.seed}`;
  let generated = 0;
  let isDrafted = false;
  const remainingTokens = (): number => limit - generated - counts.rejected;
  for (const part of parts) {
    const { kind, call, template, constraint } = part;
    if (call) {
      if (call.tokens >= remainingTokens()) return 'length';
      generated += call.tokens;
      counts.sent += call.tokens;
      emit({ type: 'tool_call', choice: 0, index: call.index, id: createCallId(), kind: call.kind, name: call.name });
    }
    const text = createTextStream(tokenizer, kind === 'text' ? stop : [], (chunk) => {
      counts.sent += chunk.tokens;
      emit(eventOf(chunk, part));
    });
    // Reasoning does not change the sampling of the reply.
    const random = seededRandom(`${seed} ${kind} ${call?.index ?? 0}`);
    const nextToken = part.isExact
      ? exactTokens(template[0]?.[0] ?? [], tokenizer, topLogprobs, constraint && shortenWith(constraint, tokenizer))
      : sampleTemplate(template, sampling, random, tokenizer, topLogprobs);
    for (;;) {
      if (!isDrafted) yield;
      if (kind === 'text') prediction.draft();
      const { id, logprob, isCut } = nextToken(remainingTokens());
      if (id === endOfText) {
        if (kind === 'text') prediction.end();
        if (!text.end()) return 'stop';
        if (isCut) return 'length';
        break;
      }
      generated++;
      isDrafted = kind === 'text' && prediction.take(id);
      if (kind === 'reasoning') counts.reasoning++;
      else if (!text.push(id, logprob)) return 'stop';
      if (remainingTokens() <= 0) return text.end() ? 'length' : 'stop';
    }
  }
  return parts.some(({ call }) => call) ? 'tool_calls' : 'stop';
}

function eventOf({ text, tokens, logprobs }: TextChunk, { kind, call }: PlannedPart): ChatEvent {
  if (call) return { type: 'tool_input', choice: 0, index: call.index, kind: call.kind, text, tokens };
  const type = kind === 'refusal' ? kind : 'text';
  return logprobs.length > 0 ? { type, choice: 0, text, tokens, logprobs } : { type, choice: 0, text, tokens };
}
