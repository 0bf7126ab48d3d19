import { yieldToEventLoop } from '@modelwire/adapter-kit';
import type { ChatEvent } from '@modelwire/ports';

/** Characters that are read at once. In an object of a thousand properties in any order, they take about 15 ms. */
const maxLength = 256;

/** Divides long texts, and lets other requests run after each part. Texts with log probabilities stay whole. */
export async function* smallPieces(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const event of events) {
    const isText = event.type === 'tool_input' || (event.type === 'text' && !event.logprobs);
    if (!isText || event.text.length <= maxLength) {
      yield event;
      continue;
    }
    for (let start = 0; start < event.text.length; start += maxLength) {
      const tokens = start === 0 ? (event.tokens ?? 1) : 0;
      yield { ...event, text: event.text.slice(start, start + maxLength), tokens };
      await yieldToEventLoop();
    }
  }
}
