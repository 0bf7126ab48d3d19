import type { ChatEvent, ChatRequest } from '@modelwire/ports';

/** The maximum number of characters of messages in the span of a generation, for input and output each. */
const maxCharacters = 65_536;

type Part =
  | { readonly type: 'text'; readonly content: string }
  | { readonly type: 'tool_call'; readonly id?: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'tool_call_response'; readonly id: string; readonly response: string }
  | { readonly type: 'other' };

interface Message {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly finish_reason?: string;
}

/** The messages of a request as JSON, in the format of `gen_ai.input.messages`. Images, audio and files are parts of type `other`. */
export function inputMessages({ messages }: Pick<ChatRequest, 'messages'>): string {
  const truncate = createTruncation();
  const read = messages.map((message): Message => {
    const parts: Part[] = [];
    const { content } = message;
    if (message.role === 'tool') {
      parts.push({ type: 'tool_call_response', id: message.tool_call_id, response: truncate(textOf(message.content)) });
    } else if (typeof content === 'string') parts.push({ type: 'text', content: truncate(content) });
    else {
      for (const part of content ?? []) {
        parts.push(part.type === 'text' ? { type: 'text', content: truncate(part.text) } : { type: 'other' });
      }
    }
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        const [name, text] =
          call.type === 'function'
            ? [call.function.name, call.function.arguments]
            : [call.custom.name, call.custom.input];
        parts.push({ type: 'tool_call', id: call.id, name, arguments: truncate(text) });
      }
    }
    return { role: message.role, parts };
  });
  return JSON.stringify(read);
}

/** Collects the messages of a reply, in the format of `gen_ai.output.messages`. */
export class OutputMessages {
  readonly #truncate = createTruncation();
  readonly #choices = new Map<number, { text: string; calls: Map<number, Call>; reason?: string }>();

  add(event: ChatEvent): void {
    if (!('choice' in event)) return;
    let choice = this.#choices.get(event.choice);
    if (!choice) {
      choice = { text: '', calls: new Map() };
      this.#choices.set(event.choice, choice);
    }
    if (event.type === 'text' || event.type === 'refusal') choice.text += this.#truncate(event.text);
    else if (event.type === 'tool_call') choice.calls.set(event.index, { id: event.id, name: event.name, text: '' });
    else if (event.type === 'tool_input') {
      const call = choice.calls.get(event.index);
      if (call) call.text += this.#truncate(event.text);
    } else if (event.type === 'finish') choice.reason = event.reason;
  }

  text(): string {
    const messages = [...this.#choices.values()].map(({ text, calls, reason }): Message => {
      const parts: Part[] = text === '' ? [] : [{ type: 'text', content: text }];
      for (const call of calls.values()) {
        parts.push({ type: 'tool_call', id: call.id, name: call.name, arguments: call.text });
      }
      return { role: 'assistant', parts, ...(reason !== undefined && { finish_reason: reason }) };
    });
    return JSON.stringify(messages);
  }
}

interface Call {
  readonly id: string;
  readonly name: string;
  text: string;
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

/** Returns a function that truncates texts so that their total length is at most `maxCharacters`. */
function createTruncation(): (text: string) => string {
  let remaining = maxCharacters;
  return (text) => {
    const truncated = text.length > remaining ? text.slice(0, remaining).toWellFormed() : text;
    remaining -= truncated.length;
    return truncated;
  };
}
