import type { CompleteResponse } from '../../exchange/response.ts';
import type { EventStream } from '../../exchange/events.ts';
import { listAt, textAt } from '../../exchange/value.ts';
import { successfulStream } from '../../verdict.ts';
import type { RunContext } from '../../context/run-context.ts';

/** Requests a response, by default one that is not stored. Equal fields share one request; a different `copy` sends another. */
export function sendResponseRequest(context: RunContext, fields: object = {}, copy = ''): Promise<CompleteResponse> {
  return context.sendOnce(`response ${copy} ${JSON.stringify(fields)}`, async () => ({
    method: 'POST',
    path: '/responses',
    body: { model: await context.chatModel(), input: 'Say hello.', store: false, ...fields },
  }));
}

/** A successful stream and its parsed events. */
export async function sendResponseStream(context: RunContext, fields: object = {}): Promise<EventStream> {
  return successfulStream(await sendResponseRequest(context, { stream: true, ...fields }));
}

/** The items of a type in the output of a response, or of the response in an event. */
export const outputItems = (response: unknown, type: string): readonly unknown[] =>
  listAt(response, 'output').filter((item) => textAt(item, 'type') === type);

/** The text of all messages of a response. */
export const outputText = (response: unknown): string =>
  outputItems(response, 'message')
    .flatMap((item) => listAt(item, 'content'))
    .map((part) => textAt(part, 'text') ?? '')
    .join('');

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

export const functionTool = (name: string): object => ({
  type: 'function',
  name,
  description: `Read the ${name} of a city.`,
  parameters,
  strict: true,
});

export const weather = functionTool('weather');
export const weatherQuestion = 'What is the weather in Paris?';
export const forcedToolRequest = {
  input: weatherQuestion,
  tools: [weather],
  tool_choice: { type: 'function', name: 'weather' },
};
