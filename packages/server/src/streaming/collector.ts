import { isRecord } from '@modelwire/adapter-kit';
import { concatBytes } from '@modelwire/adapter-kit/internal';
import type { ChatRequest } from '@modelwire/ports';
import type {
  ChatCompletion,
  ChatCompletionChoice,
  ChatCompletionMessage,
  ChatCompletionToolCall,
  ChoiceLogprobs,
  TokenLogprob,
  UrlCitationAnnotation,
} from '@modelwire/schema/types';
import { toBase64 } from '../json/base64.ts';
import type { CompletionMetadata } from './chunk-writer.ts';
import type { ReplyEvent } from './events.ts';
import type { Accountant } from '../admission/accountant.ts';
import type { ModerationReport } from './transforms/moderation-report.ts';

interface ChoiceBuilder {
  text: string | undefined;
  refusal: string | undefined;
  contentLogprobs: TokenLogprob[];
  refusalLogprobs: TokenLogprob[];
  /** Sparse until complete: calls arrive by index. */
  toolCalls: { readonly id: string; readonly kind: 'function' | 'custom'; readonly name: string; input: string }[];
  functionCall: { name: string; arguments: string } | undefined;
  audio: { id: string; expires_at: number; transcript: string; readonly data: Uint8Array[] } | undefined;
  annotations: UrlCitationAnnotation[];
  extra: Record<string, unknown>;
  finish: ChatCompletionChoice['finish_reason'] | undefined;
}

/** Assembles a completion from events. */
export interface Collector {
  add(event: ReplyEvent): void;
  /** The completion (API: Chat completion object). @throws if a choice has not finished: a partial reply is not a completion. */
  completion(): ChatCompletion;
}

interface CollectorOptions extends Pick<ChatRequest, 'logprobs'> {
  readonly n: number;
  readonly accountant: Accountant;
  /** The results of the moderation that the request asked for. */
  readonly moderation?: ModerationReport | undefined;
}

export function collector(
  metadata: CompletionMetadata,
  { n, logprobs, accountant, moderation }: CollectorOptions,
): Collector {
  const builders: ChoiceBuilder[] = [];
  return {
    add: (event) => add((builders[event.choice] ??= newBuilder()), event),
    completion() {
      const { id, created, model, service_tier } = metadata;
      const { current: usage, fingerprint } = accountant;
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: Array.from({ length: n }, (_, index) => buildChoice(builders[index], index, logprobs)),
        usage,
        ...(moderation && { moderation: moderation.results }),
        service_tier: accountant.tier ?? service_tier,
        ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
      };
    },
  };
}

function newBuilder(): ChoiceBuilder {
  return {
    text: undefined,
    refusal: undefined,
    contentLogprobs: [],
    refusalLogprobs: [],
    toolCalls: [],
    functionCall: undefined,
    audio: undefined,
    annotations: [],
    extra: {},
    finish: undefined,
  };
}

function add(choice: ChoiceBuilder, event: ReplyEvent): void {
  switch (event.type) {
    case 'text':
      choice.text = (choice.text ?? '') + event.text;
      if (event.logprobs) choice.contentLogprobs.push(...event.logprobs);
      break;
    case 'refusal':
      choice.refusal = (choice.refusal ?? '') + event.text;
      if (event.logprobs) choice.refusalLogprobs.push(...event.logprobs);
      break;
    case 'tool_call':
      choice.toolCalls[event.index] = { id: event.id, kind: event.kind, name: event.name, input: '' };
      break;
    case 'tool_input': {
      const call = choice.toolCalls[event.index];
      if (!call) throw new Error('the engine sent tool input before its tool call');
      call.input += event.text;
      break;
    }
    case 'function_call':
      choice.functionCall ??= { name: '', arguments: '' };
      choice.functionCall.name += event.name ?? '';
      choice.functionCall.arguments += event.text ?? '';
      break;
    case 'audio': {
      const audio = (choice.audio ??= { id: '', expires_at: 0, transcript: '', data: [] });
      audio.id = event.id ?? audio.id;
      audio.expires_at = event.expires_at ?? audio.expires_at;
      audio.transcript += event.transcript ?? '';
      if (event.data) audio.data.push(event.data);
      if (event.logprobs) choice.contentLogprobs.push(...event.logprobs);
      break;
    }
    case 'annotations':
      choice.annotations.push(...event.annotations);
      break;
    case 'extra':
      merge(choice.extra, event.delta);
      break;
    case 'echo':
      // Part of legacy completions only.
      break;
    case 'finish':
      choice.finish = event.reason;
  }
}

/** Appends strings and lists, merges objects field by field, and replaces all other values. */
function merge(target: Record<string, unknown>, piece: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(piece)) {
    // Reading or assigning it would reach the prototype of all objects.
    if (name === '__proto__') continue;
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    if (typeof before === 'string' && typeof value === 'string') target[name] = before + value;
    else if (Array.isArray(before) && Array.isArray(value))
      target[name] = [...(before as unknown[]), ...(value as unknown[])];
    else if (isRecord(before) && isRecord(value)) merge(before, value);
    else if (isRecord(value)) merge((target[name] = {}), value);
    else target[name] = value;
  }
}

function buildChoice(choice: ChoiceBuilder | undefined, index: number, logprobs: boolean): ChatCompletionChoice {
  if (choice?.finish === undefined) throw new Error('the engine ended without a finish event');
  const hasToolCalls = choice.toolCalls.length > 0;
  const { audio } = choice;
  const hasOtherContent = hasToolCalls || (choice.functionCall ?? choice.refusal ?? audio) !== undefined;
  const message: ChatCompletionMessage = {
    role: 'assistant',
    content: choice.text ?? (hasOtherContent ? null : ''),
    refusal: choice.refusal ?? null,
    annotations: choice.annotations,
    ...(audio && { audio: { ...audio, data: toBase64(concatBytes(audio.data)) } }),
    ...(hasToolCalls && { tool_calls: choice.toolCalls.map(toolCall) }),
    ...(choice.functionCall && { function_call: choice.functionCall }),
    ...choice.extra,
  };
  return { index, message, logprobs: logprobs ? allLogprobs(choice) : null, finish_reason: choice.finish };
}

function toolCall({ id, kind, name, input }: ChoiceBuilder['toolCalls'][number]): ChatCompletionToolCall {
  return kind === 'function'
    ? { id, type: 'function', function: { name, arguments: input } }
    : { id, type: 'custom', custom: { name, input } };
}

function allLogprobs({ text, contentLogprobs, refusalLogprobs, refusal, toolCalls }: ChoiceBuilder): ChoiceLogprobs {
  const other = refusal !== undefined || (toolCalls.length > 0 && text === undefined);
  return {
    content: other && contentLogprobs.length === 0 ? null : contentLogprobs,
    refusal: refusal === undefined ? null : refusalLogprobs,
  };
}
