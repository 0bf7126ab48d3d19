import { answerParent } from '../child.ts';
import { median } from '../statistics.ts';
import { readers } from './readers.ts';
import type { ReaderName } from './readers.ts';

/** Reads a stream of so many chunks three times. Replies with the median time in milliseconds. */
export interface ClientQuestion {
  readonly reader: ReaderName;
  readonly chunks: number;
}

const utf8 = new TextEncoder();

answerParent(async (question): Promise<number> => {
  const { reader, chunks } = question as ClientQuestion;
  const reply = replyOf(chunks);
  const events = eventsOf(reply);
  const took: number[] = [];
  for (let time = 0; time < 3; time++) {
    const began = performance.now();
    const text = await readers[reader].read(async () => responseOf(events));
    took.push(performance.now() - began);
    if (text !== reply.join('')) throw new Error(`${reader} put another text together`);
  }
  return median(took);
});

/** One event arrives with each read. */
function responseOf(events: readonly Uint8Array[]): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const event = events[next++];
      if (event) controller.enqueue(event);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Chunks of JSON, which also serve as plain text. */
function replyOf(chunks: number): string[] {
  return Array.from({ length: chunks }, (_, i) => (i === 0 ? '{"words":["' : i === chunks - 1 ? '"]}' : word(i)));
}

const word = (index: number): string => (index % 10 === 9 ? '","' : ` word${index % 100}`);

function eventsOf(reply: readonly string[]): Uint8Array[] {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'simulator' };
  const event = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    return utf8.encode(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
  };
  return [
    event({ role: 'assistant', content: '' }, null),
    ...reply.map((content) => event({ content }, null)),
    event({}, 'stop'),
    utf8.encode('data: [DONE]\n\n'),
  ];
}
