import type { ChatEvent, ChatEvents } from '@modelwire/ports';

/** An event with content of a choice, as writers receive it. */
export type ReplyEvent = Exclude<ChatEvent, { readonly type: 'usage' | 'meta' }>;

/** Yields the events one by one. */
export async function* flat(events: ChatEvents): AsyncGenerator<ChatEvent> {
  for await (const some of isEventBatch(events) ? [events] : events) {
    if (isEventBatch(some)) yield* some;
    else yield some;
  }
}

/** Whether these are several events. A type guard of its own, because `Array.isArray` does not narrow readonly arrays. */
export function isEventBatch(some: ChatEvent | ChatEvents): some is readonly ChatEvent[] {
  return Array.isArray(some);
}

/** Returns the number of generated tokens of an event: text, refusals, reasoning and tool calls count (API: `max_completion_tokens`). */
export function tokensOf(event: ChatEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
    case 'tool_input':
    case 'function_call':
      return event.tokens ?? 1;
    case 'audio':
      return event.tokens ?? (event.transcript === undefined ? 0 : 1);
    case 'extra':
      return 1;
    default:
      return 0;
  }
}
