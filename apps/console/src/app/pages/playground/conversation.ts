import type { ChatCompletionMessageParam, CompletionUsage, TokenLogprob } from '@modelwire/client';

/** Status and statistics of the generation of a reply. */
export interface Generation {
  readonly status: 'running' | 'finished' | 'stopped' | 'failed';
  readonly error?: unknown;
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly usage?: CompletionUsage | undefined;
  readonly finishReason?: string | undefined;
  readonly completionId?: string | undefined;
  readonly isStored: boolean;
  readonly logprobs: readonly TokenLogprob[];
}

/** A message of a conversation. Replies of the model have a `generation`. */
export interface Turn {
  readonly id: number;
  readonly message: ChatCompletionMessageParam;
  readonly generation?: Generation | undefined;
}

let lastId = 0;

export function createTurn(message: ChatCompletionMessageParam, generation?: Generation): Turn {
  lastId += 1;
  return { id: lastId, message, generation };
}

/** The messages to send, without replies that failed before their first token. */
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

/** Output tokens per second after the first one; `undefined` if it cannot be computed. */
export function tokensPerSecond({ usage, firstTokenMs, durationMs }: Generation): number | undefined {
  if (usage === undefined || firstTokenMs === undefined || durationMs === undefined) return undefined;
  const seconds = (durationMs - firstTokenMs) / 1000;
  // If the whole reply arrives with the first token, the rate cannot be measured.
  return seconds >= 0.05 && usage.completion_tokens > 1 ? (usage.completion_tokens - 1) / seconds : undefined;
}
