import { answerParent } from '../child.ts';
import { median } from '../statistics.ts';
import { streamOf } from '../stream-of.ts';
import { accumulators, isAccumulatorName } from './accumulators.ts';

/** Streams a reply of so many chunks repeatedly. Replies with the median time of one in milliseconds. */
export interface AccumulateQuestion {
  readonly accumulator: string;
  readonly chunks: number;
  readonly times: number;
}

const utf8 = new TextEncoder();

answerParent(async (question): Promise<number> => {
  const { accumulator, chunks, times } = question as AccumulateQuestion;
  if (!isAccumulatorName(accumulator)) throw new Error(`there is no ${accumulator}`);
  const reply = replyOf(chunks);
  const events = eventsOf(reply);
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    const text = await accumulators[accumulator].text(() => streamOf(events));
    took.push(performance.now() - began);
    if (text !== reply.join('')) throw new Error(`${accumulator} put another text together`);
  }
  return median(took);
});

/** Chunks of JSON, which also serve as plain text. */
function replyOf(chunks: number): string[] {
  return Array.from({ length: chunks }, (_, i) => (i === 0 ? '{"words":["' : i === chunks - 1 ? '"]}' : word(i)));
}

const word = (index: number): string => (index % 10 === 9 ? '","' : ` word${index % 100}`);

function eventsOf(reply: readonly string[]): Uint8Array[] {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'simulator' };
  const event = (delta: object, finish_reason: string | null): Uint8Array => {
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
