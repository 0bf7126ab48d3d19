import type { ChatCompletionMessageParam, CompletionUsage, TokenLogprob } from '@modelwire/client';

/** How a reply was generated. */
export interface Generation {
  readonly status: 'running' | 'finished' | 'stopped' | 'failed';
  readonly error?: unknown;
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly usage?: CompletionUsage | undefined;
  readonly finishReason?: string | undefined;
  readonly completionId?: string | undefined;
  readonly stored: boolean;
  readonly logprobs: readonly TokenLogprob[];
}

/** A message of a conversation. Replies of the model have their `generation`. */
export interface Turn {
  readonly id: number;
  readonly message: ChatCompletionMessageParam;
  readonly generation?: Generation | undefined;
}

let lastId = 0;

export function newTurn(message: ChatCompletionMessageParam, generation?: Generation): Turn {
  lastId += 1;
  return { id: lastId, message, generation };
}

/** The messages to send: replies that failed before their first token are left out. */
export function messagesOf(turns: readonly Turn[]): readonly ChatCompletionMessageParam[] {
  return turns.map(({ message }) => message).filter((message) => !isEmptyReply(message));
}

function isEmptyReply(message: ChatCompletionMessageParam): boolean {
  return message.role === 'assistant' && !message.content && !message.tool_calls?.length && !message.refusal;
}

/** The text of a message, without its attachments. */
export function textOf({ content }: ChatCompletionMessageParam): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Output tokens per second after the first one; `undefined` where too little is known. */
export function tokensPerSecond({ usage, firstTokenMs, durationMs }: Generation): number | undefined {
  if (usage === undefined || firstTokenMs === undefined || durationMs === undefined) return undefined;
  const seconds = (durationMs - firstTokenMs) / 1000;
  // A reply that arrives at once has no measurable rate.
  return seconds >= 0.05 && usage.completion_tokens > 1 ? (usage.completion_tokens - 1) / seconds : undefined;
}
