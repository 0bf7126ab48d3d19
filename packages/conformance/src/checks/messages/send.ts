import type { Call } from '../../exchange/call.ts';
import type { EventStream } from '../../exchange/events.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { listAt, numberAt, textAt } from '../../exchange/value.ts';
import { helloMessages, messageHeaders } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { successful, successfulStream } from '../../verdict.ts';

export const longPrompt = { messages: [{ role: 'user', content: 'Tell me at length about rivers.' }] };

const weather = {
  name: 'weather',
  description: 'Read the weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
export const toolPrompt = {
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [weather],
};
export const forcedTool = { ...toolPrompt, tool_choice: { type: 'tool', name: 'weather' } };

export async function messageCall(context: RunContext, fields: object, path = '/messages'): Promise<Call> {
  const body = { model: await context.chatModel(), messages: helloMessages, ...fields };
  return { method: 'POST', path, body, headers: messageHeaders };
}

/** Requests a message. Equal fields share one request; a different `copy` sends another. */
export function sendMessage(context: RunContext, fields: object = {}, copy = ''): Promise<CompleteResponse> {
  return context.sendOnce(`message ${copy} ${JSON.stringify(fields)}`, () =>
    messageCall(context, { max_tokens: 256, ...fields }),
  );
}

export const createMessage = (context: RunContext, fields: object = {}, copy = ''): Promise<CompleteResponse> =>
  successful(sendMessage(context, fields, copy));

/** The events of a stream, without those that keep it alive. */
export async function streamMessage(context: RunContext, fields: object = {}): Promise<EventStream> {
  const stream = successfulStream(await sendMessage(context, { stream: true, ...fields }));
  return { ...stream, events: stream.events.filter(({ json }) => textAt(json, 'type') !== 'ping') };
}

export async function countTokens(context: RunContext, fields: object = {}): Promise<CompleteResponse> {
  return successful(
    context.sendOnce(`message tokens ${JSON.stringify(fields)}`, () =>
      messageCall(context, fields, '/messages/count_tokens'),
    ),
  );
}

/** The blocks of a type in a message. */
export const blocksOf = (message: unknown, type: string): readonly unknown[] =>
  listAt(message, 'content').filter((block) => textAt(block, 'type') === type);

export const messageText = (message: unknown): string =>
  blocksOf(message, 'text')
    .map((block) => textAt(block, 'text') ?? '')
    .join('');

/** Why a reply without tools and stop sequences can end. */
export const endReasons: ReadonlySet<unknown> = new Set(['end_turn', 'max_tokens']);

/** The tokens of the prompt of a message: those of caches are counted apart. */
export function promptTokens(message: unknown): number {
  const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return names.reduce((sum, name) => sum + (numberAt(message, 'usage', name) ?? 0), 0);
}
