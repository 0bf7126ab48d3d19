import type {
  ChatCompletion,
  ChatCompletionChoice,
  ChatCompletionToolCall,
  ChoiceLogprobs,
  CompletionUsage,
  TokenLogprob,
} from '@modelwire/schema/types';
import type { ChatEvent, ChatRequest } from '../ports/chat-engine.ts';
import type { Heading } from './heading.ts';

/** What an engine that never said counts as. */
export const noUsage: CompletionUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

interface GrowingChoice {
  text: string | undefined;
  refusal: string | undefined;
  contentLogprobs: TokenLogprob[];
  refusalLogprobs: TokenLogprob[];
  /** Sparse while it grows: calls come by index. */
  toolCalls: { readonly id: string; readonly kind: 'function' | 'custom'; readonly name: string; input: string }[];
  functionCall: { name: string; arguments: string } | undefined;
  extra: Record<string, unknown>;
  finish: ChatCompletionChoice['finish_reason'] | undefined;
}

/** Puts a completion together from events, one by one. */
export interface Collector {
  add(event: ChatEvent): void;
  /** Whether each of the choices has finished. */
  readonly complete: boolean;
  /** The whole (interface: Chat completion object). Throws when a choice has not finished: half a reply is none. */
  completion(): ChatCompletion;
}

export function collector(head: Heading, { n, logprobs }: Pick<ChatRequest, 'n' | 'logprobs'>): Collector {
  const growing: GrowingChoice[] = [];
  let usage = noUsage;
  let tier: string | undefined;
  let fingerprint: string | undefined;
  return {
    add(event) {
      if (event.type === 'usage') usage = event.usage;
      else if (event.type === 'meta') {
        tier = event.service_tier ?? tier;
        fingerprint = event.system_fingerprint ?? fingerprint;
      } else add((growing[event.choice] ??= start()), event);
    },
    get complete() {
      return growing.filter((choice) => choice.finish !== undefined).length === n;
    },
    completion: () => ({
      id: head.id,
      object: 'chat.completion',
      created: head.created,
      model: head.model,
      choices: Array.from({ length: n }, (_, index) => finished(growing[index], index, logprobs)),
      usage,
      service_tier: tier ?? head.service_tier,
      ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
    }),
  };
}

function start(): GrowingChoice {
  return {
    text: undefined,
    refusal: undefined,
    contentLogprobs: [],
    refusalLogprobs: [],
    toolCalls: [],
    functionCall: undefined,
    extra: {},
    finish: undefined,
  };
}

function add(choice: GrowingChoice, event: Exclude<ChatEvent, { readonly type: 'usage' | 'meta' }>): void {
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
    case 'extra':
      for (const [name, value] of Object.entries(event.delta)) {
        const before = choice.extra[name];
        choice.extra[name] = typeof before === 'string' && typeof value === 'string' ? before + value : value;
      }
      break;
    case 'finish':
      choice.finish = event.reason;
  }
}

function finished(choice: GrowingChoice | undefined, index: number, logprobs: boolean): ChatCompletionChoice {
  if (choice?.finish === undefined) throw new Error('the engine ended without a finish event');
  const calls = choice.toolCalls.length > 0;
  const nothing = calls || choice.functionCall !== undefined || choice.refusal !== undefined;
  return {
    index,
    message: {
      role: 'assistant',
      content: choice.text ?? (nothing ? null : ''),
      refusal: choice.refusal ?? null,
      annotations: [],
      ...(calls && { tool_calls: choice.toolCalls.map(toolCall) }),
      ...(choice.functionCall && { function_call: choice.functionCall }),
      ...choice.extra,
    },
    logprobs: logprobs ? allLogprobs(choice) : null,
    finish_reason: choice.finish,
  };
}

function toolCall({ id, kind, name, input }: GrowingChoice['toolCalls'][number]): ChatCompletionToolCall {
  return kind === 'function'
    ? { id, type: 'function', function: { name, arguments: input } }
    : { id, type: 'custom', custom: { name, input } };
}

function allLogprobs({ contentLogprobs, refusalLogprobs, refusal }: GrowingChoice): ChoiceLogprobs {
  return {
    content: refusal !== undefined && contentLogprobs.length === 0 ? null : contentLogprobs,
    refusal: refusal === undefined ? null : refusalLogprobs,
  };
}
