import type { ServerResponse } from 'node:http';
import { factories } from '@modelwire/testing/factories';
import type { ResponseObject, ResponseStreamEvent } from '../src/index.ts';

const { response, responseUsage } = factories();

export const empty: ResponseObject = response({
  id: 'resp_1',
  created_at: 1_767_225_600,
  status: 'in_progress',
  completed_at: null,
  output: [],
  usage: null,
  model: 'simulator',
});

const item_id = 'msg_1';
const at = { item_id, output_index: 0, content_index: 0 } as const;
const part = { type: 'output_text', text: 'Hello there', annotations: [] } as const;
const message = { type: 'message', id: item_id, role: 'assistant', status: 'completed', content: [part] } as const;

/** "Hello there", complete. */
export const hello: ResponseObject = {
  ...empty,
  status: 'completed',
  completed_at: 1_767_225_601,
  output: [message],
  usage: responseUsage({ input_tokens: 5, output_tokens: 2 }),
};

/** The events of {@link hello}, in the order of the API. */
export const helloEvents: readonly ResponseStreamEvent[] = [
  { type: 'response.created', sequence_number: 0, response: empty },
  { type: 'response.in_progress', sequence_number: 1, response: empty },
  {
    type: 'response.output_item.added',
    sequence_number: 2,
    output_index: 0,
    item: { ...message, status: 'in_progress', content: [] },
  },
  { type: 'response.content_part.added', sequence_number: 3, ...at, part: { ...part, text: '' } },
  { type: 'response.output_text.delta', sequence_number: 4, ...at, delta: 'Hello', logprobs: [] },
  { type: 'response.output_text.delta', sequence_number: 5, ...at, delta: ' there', logprobs: [] },
  { type: 'response.output_text.done', sequence_number: 6, ...at, text: 'Hello there', logprobs: [] },
  { type: 'response.content_part.done', sequence_number: 7, ...at, part },
  { type: 'response.output_item.done', sequence_number: 8, output_index: 0, item: message },
  { type: 'response.completed', sequence_number: 9, response: hello },
];

/** Sends each event, and leaves the stream open. */
export function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}
