import type { ChatEvent } from '@modelwire/ports';
import type { TokenSource } from '../sampling/sampler.ts';
import { endOfText } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Prediction } from './prediction.ts';
import type { StopTables } from './stop-finder.ts';
import { createTextStream } from './text-stream.ts';
import type { TextChunk } from './text-stream.ts';

/** Maximum number of tokens of a choice, regardless of the request. A choice that reaches it finishes with `length`. */
export const maxReplyTokens = 4096;

/** The kind of a part of a reply. `reasoning` is generated and counted, but not sent. */
export type PartKind = 'reasoning' | 'text' | 'refusal' | 'function' | 'custom';

/** The tool call that a part is the input of. */
export interface ToolCall {
  readonly name: string;
  /** Its index among the calls of the message. */
  readonly index: number;
  /** Tokens of the name. */
  readonly tokens: number;
}

export interface Part {
  readonly kind: PartKind;
  readonly source: TokenSource;
  readonly call?: ToolCall & { readonly id: string };
}

export interface ChoiceInit {
  readonly index: number;
  readonly parts: readonly Part[];
  readonly tokenizer: Tokenizer;
  /** Applied to text only. */
  readonly stop: StopTables;
  /** Tokens that this choice may generate. */
  readonly limit: number;
  readonly prediction: Prediction | undefined;
}

/** A choice that is being generated. Each step of `run` generates one token and the accepted tokens of a draft. */
export interface Choice {
  readonly run: Generator<void, void>;
  readonly prediction: Prediction | undefined;
  /** Tokens so far: reasoning and sent tokens, including names of tools but not an omitted stop sequence. */
  readonly counts: { reasoning: number; sent: number };
}

export function startChoice(init: ChoiceInit, emit: (event: ChatEvent) => void): Choice {
  const counts = { reasoning: 0, sent: 0 };
  const { index, prediction } = init;
  const run = (function* () {
    emit({ type: 'finish', choice: index, reason: yield* generate(init, counts, emit) });
  })();
  return { counts, prediction, run };
}

function* generate(
  { index, parts, tokenizer, stop, limit, prediction }: ChoiceInit,
  counts: Choice['counts'],
  emit: (event: ChatEvent) => void,
): Generator<void, 'stop' | 'length' | 'tool_calls'> {
  let generated = 0;
  const remainingTokens = (): number => Math.min(limit, maxReplyTokens) - generated - (prediction?.rejected ?? 0);
  for (const { kind, source, call } of parts) {
    if (call) {
      if (call.tokens >= remainingTokens()) return 'length';
      generated += call.tokens;
      counts.sent += call.tokens;
      const callKind = kind === 'custom' ? kind : 'function';
      emit({ type: 'tool_call', choice: index, index: call.index, id: call.id, kind: callKind, name: call.name });
    }
    const text = createTextStream(tokenizer, kind === 'text' ? stop : [], (chunk) => {
      counts.sent += chunk.tokens;
      emit(eventOf(chunk, kind, index, call?.index ?? 0));
    });
    for (;;) {
      const { id, logprob, isCut } = source(remainingTokens());
      if (id === endOfText) {
        if (kind === 'text') prediction?.end();
        if (!text.end()) return 'stop';
        if (isCut) return 'length';
        break;
      }
      generated++;
      let isDrafted = false;
      if (kind === 'reasoning') counts.reasoning++;
      else {
        isDrafted = kind === 'text' && prediction?.take(id) === true;
        if (!text.push(id, logprob)) return 'stop';
      }
      if (remainingTokens() <= 0) return text.end() ? 'length' : 'stop';
      if (!isDrafted) yield;
    }
  }
  return parts.some(({ call }) => call) ? 'tool_calls' : 'stop';
}

function eventOf({ text, tokens, logprobs }: TextChunk, kind: PartKind, choice: number, index: number): ChatEvent {
  if (kind === 'function' || kind === 'custom') return { type: 'tool_input', choice, index, kind, text, tokens };
  const type = kind === 'refusal' ? kind : 'text';
  return logprobs.length > 0 ? { type, choice, text, tokens, logprobs } : { type, choice, text, tokens };
}
