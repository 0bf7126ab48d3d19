import type {
  ChatCompletionChunk,
  ChatCompletionChunkChoice,
  ChoiceLogprobs,
  CompletionUsage,
  FinishReason,
  Open,
  TokenLogprob,
} from '@modelwire/schema/types';

/** Every chunk as it came, before the events below that are made of it. */
export interface ChunkEvent {
  readonly type: 'chunk';
  readonly chunk: ChatCompletionChunk;
}

/** More text of a choice. Never empty. */
export interface ContentDeltaEvent {
  readonly type: 'content.delta';
  readonly choice: number;
  readonly delta: string;
}

/** More of a choice's refusal. Never empty. */
export interface RefusalDeltaEvent {
  readonly type: 'refusal.delta';
  readonly choice: number;
  readonly delta: string;
}

/** A piece of the tool call at `index`. The first one carries `id`, `kind` and `name`. */
export interface ToolCallDeltaEvent {
  readonly type: 'tool_call.delta';
  readonly choice: number;
  readonly index: number;
  readonly id: string | undefined;
  readonly kind: Open<'function' | 'custom'> | undefined;
  readonly name: string | undefined;
  /** More of a function's `arguments` or a custom tool's `input`; may be empty. */
  readonly delta: string;
}

/** A piece of the deprecated single function call. The first one carries `name`. */
export interface FunctionCallDeltaEvent {
  readonly type: 'function_call.delta';
  readonly choice: number;
  readonly name: string | undefined;
  /** More of its `arguments`; may be empty. */
  readonly delta: string;
}

/** A piece of a choice's audio. */
export interface AudioDeltaEvent {
  readonly type: 'audio.delta';
  readonly choice: number;
  /** Base64, in the requested format; may be empty. */
  readonly data: string;
  /** More of what is said; may be empty. */
  readonly transcript: string;
}

/** Log probabilities of the tokens that came with this chunk. */
export interface LogprobsDeltaEvent {
  readonly type: 'logprobs.delta';
  readonly choice: number;
  readonly content: readonly TokenLogprob[];
  readonly refusal: readonly TokenLogprob[];
}

/** A choice is over; others may go on. */
export interface ChoiceFinishEvent {
  readonly type: 'choice.finish';
  readonly choice: number;
  readonly finish_reason: Open<FinishReason>;
}

/** The tokens of the whole request. */
export interface UsageEvent {
  readonly type: 'usage';
  readonly usage: CompletionUsage;
}

/** What happens in a streamed completion, told apart by `type`. `choice` is the index in `choices`. */
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

/** What comes from a server, with everything optional: a field that one of them leaves out must not end a stream. */
type Loose<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Loose<T[Key]> | null }
      : T;

type Emit = (event: ChatStreamEvent) => void;

/** The events of a chunk: the chunk itself, each choice in turn, usage. */
export function emitEvents(chunk: ChatCompletionChunk, emit: Emit): void {
  emit({ type: 'chunk', chunk });
  emitChoices(chunk, emit);
  if (chunk.usage) emit({ type: 'usage', usage: chunk.usage });
}

function emitChoices({ choices }: Loose<ChatCompletionChunk>, emit: Emit): void {
  for (const choice of choices ?? []) emitChoice(choice, emit);
}

function emitChoice(given: Loose<ChatCompletionChunkChoice>, emit: Emit): void {
  const choice = given.index ?? 0;
  const { content, refusal, audio, tool_calls, function_call } = given.delta ?? {};
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
  if (given.logprobs) {
    const { content, refusal } = given.logprobs as Partial<ChoiceLogprobs>;
    emit({ type: 'logprobs.delta', choice, content: content ?? [], refusal: refusal ?? [] });
  }
  if (given.finish_reason) emit({ type: 'choice.finish', choice, finish_reason: given.finish_reason });
}

/** The pieces of the first choice's text. */
export function emitText(chunk: ChatCompletionChunk, emit: (text: string) => void): void {
  emitEvents(chunk, (event) => {
    if (event.type === 'content.delta' && event.choice === 0) emit(event.delta);
  });
}
