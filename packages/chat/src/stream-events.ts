import type {
  ChatCompletionChunk,
  ChatCompletionChunkChoice,
  ChoiceLogprobs,
  CompletionUsage,
  FinishReason,
  Open,
  TokenLogprob,
} from '@modelwire/schema/types';

/** A chunk, unchanged. Comes before the events that are derived from it. */
export interface ChunkEvent {
  readonly type: 'chunk';
  readonly chunk: ChatCompletionChunk;
}

/** A text delta of a choice. Never empty. */
export interface ContentDeltaEvent {
  readonly type: 'content.delta';
  readonly choice: number;
  readonly delta: string;
}

/** A refusal delta of a choice. Never empty. */
export interface RefusalDeltaEvent {
  readonly type: 'refusal.delta';
  readonly choice: number;
  readonly delta: string;
}

/** A delta of the tool call at `index`. The first one has `id`, `kind` and `name`. */
export interface ToolCallDeltaEvent {
  readonly type: 'tool_call.delta';
  readonly choice: number;
  readonly index: number;
  readonly id: string | undefined;
  readonly kind: Open<'function' | 'custom'> | undefined;
  readonly name: string | undefined;
  /** A delta of the function's `arguments` or the custom tool's `input`; may be empty. */
  readonly delta: string;
}

/** A delta of the deprecated function call. The first one has `name`. */
export interface FunctionCallDeltaEvent {
  readonly type: 'function_call.delta';
  readonly choice: number;
  readonly name: string | undefined;
  /** A delta of its `arguments`; may be empty. */
  readonly delta: string;
}

/** An audio delta of a choice. */
export interface AudioDeltaEvent {
  readonly type: 'audio.delta';
  readonly choice: number;
  /** Base64, in the requested format; may be empty. */
  readonly data: string;
  /** A delta of the transcript; may be empty. */
  readonly transcript: string;
}

/** Log probabilities of the tokens of a chunk. */
export interface LogprobsDeltaEvent {
  readonly type: 'logprobs.delta';
  readonly choice: number;
  readonly content: readonly TokenLogprob[];
  readonly refusal: readonly TokenLogprob[];
}

/** A choice has ended. Others may continue. */
export interface ChoiceFinishEvent {
  readonly type: 'choice.finish';
  readonly choice: number;
  readonly finish_reason: Open<FinishReason>;
}

/** The token usage of the request. */
export interface UsageEvent {
  readonly type: 'usage';
  readonly usage: CompletionUsage;
}

/** An event of a streamed completion, discriminated by `type`. `choice` is the index in `choices`. */
export type ChatStreamEvent =
  | ChunkEvent
  | ContentDeltaEvent
  | RefusalDeltaEvent
  | ToolCallDeltaEvent
  | FunctionCallDeltaEvent
  | AudioDeltaEvent
  | LogprobsDeltaEvent
  | ChoiceFinishEvent
  | UsageEvent;

/** A received value with all fields optional, since a field that a server omits must not fail the stream. */
type Loose<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Loose<T[Key]> | null }
      : T;

type Emit = (event: ChatStreamEvent) => void;

/** Emits the events of a chunk: the chunk itself, the events of each choice, usage. */
export function emitEvents(chunk: ChatCompletionChunk, emit: Emit): void {
  emit({ type: 'chunk', chunk });
  emitChoices(chunk, emit);
  if (chunk.usage) emit({ type: 'usage', usage: chunk.usage });
}

function emitChoices({ choices }: Loose<ChatCompletionChunk>, emit: Emit): void {
  for (const choice of choices ?? []) emitChoice(choice, emit);
}

function emitChoice(chunkChoice: Loose<ChatCompletionChunkChoice>, emit: Emit): void {
  const choice = chunkChoice.index ?? 0;
  const { content, refusal, audio, tool_calls, function_call } = chunkChoice.delta ?? {};
  if (content) emit({ type: 'content.delta', choice, delta: content });
  if (refusal) emit({ type: 'refusal.delta', choice, delta: refusal });
  if (audio) emit({ type: 'audio.delta', choice, data: audio.data ?? '', transcript: audio.transcript ?? '' });
  for (const call of tool_calls ?? []) {
    const { id, type: kind, function: fn, custom } = call;
    emit({
      type: 'tool_call.delta',
      choice,
      index: call.index ?? 0,
      id: id ?? undefined,
      kind: kind ?? undefined,
      name: fn?.name ?? custom?.name ?? undefined,
      delta: fn?.arguments ?? custom?.input ?? '',
    });
  }
  if (function_call) {
    const { name, arguments: delta } = function_call;
    emit({ type: 'function_call.delta', choice, name: name ?? undefined, delta: delta ?? '' });
  }
  if (chunkChoice.logprobs) {
    const { content, refusal } = chunkChoice.logprobs as Partial<ChoiceLogprobs>;
    emit({ type: 'logprobs.delta', choice, content: content ?? [], refusal: refusal ?? [] });
  }
  if (chunkChoice.finish_reason) emit({ type: 'choice.finish', choice, finish_reason: chunkChoice.finish_reason });
}

/** Emits the text deltas of the first choice. */
export function emitText(chunk: ChatCompletionChunk, emit: (text: string) => void): void {
  emitEvents(chunk, (event) => {
    if (event.type === 'content.delta' && event.choice === 0) emit(event.delta);
  });
}
