import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ChatRequestInfo } from './types.ts';

/** A chat request for matchers. A class with getters, since most fields of most requests are never read. */
export class ParsedChatRequest implements ChatRequestInfo {
  readonly body: ChatCompletionCreateParams;
  readonly customId: string | undefined;
  readonly #signal: () => AbortSignal;
  #lastMessage: string | undefined;

  constructor(body: ChatCompletionCreateParams, signal: () => AbortSignal, customId?: string) {
    this.body = body;
    this.customId = customId;
    this.#signal = signal;
  }
  get signal(): AbortSignal {
    return this.#signal();
  }
  get model(): string {
    return this.body.model;
  }
  get messages(): readonly ChatCompletionMessageParam[] {
    return this.body.messages;
  }
  get lastMessage(): string {
    return (this.#lastMessage ??= textOf(this.messages.at(-1)));
  }
  get system(): string {
    const said = this.messages.filter(({ role }) => role === 'system' || role === 'developer');
    return said.map(textOf).join('\n');
  }
  get turn(): number {
    return this.messages.filter(({ role }) => role === 'user').length;
  }
  get toolResult(): ChatRequestInfo['toolResult'] {
    const last = this.messages.at(-1);
    if (last?.role === 'function') return { name: last.name, text: this.lastMessage };
    if (last?.role !== 'tool') return undefined;
    return { name: calledBy(last.tool_call_id, this.messages), text: this.lastMessage };
  }
  get tools(): readonly string[] {
    const { tools = [], functions = [] } = this.body;
    return [
      ...tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.custom.name)),
      ...functions.map(({ name }) => name),
    ];
  }
  get stream(): boolean {
    return this.body.stream ?? false;
  }
  get format(): ChatRequestInfo['format'] {
    return this.body.response_format?.type ?? 'text';
  }
}

function calledBy(id: string, messages: readonly ChatCompletionMessageParam[]): string {
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const call = message.tool_calls?.find((one) => one.id === id);
    if (call) return call.type === 'function' ? call.function.name : call.custom.name;
  }
  return '';
}

function textOf(message: ChatCompletionMessageParam | undefined): string {
  const content = message?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
