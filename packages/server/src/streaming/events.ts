import type { ChatEvent, ChatEvents } from '@modelwire/ports';

/** One by one. */
export async function* flat(events: ChatEvents): AsyncGenerator<ChatEvent> {
  for await (const some of isEventBatch(events) ? [events] : events) {
    if (isEventBatch(some)) yield* some;
    else yield some;
  }
}

/** `Array.isArray` does not tell a readonly array from one event. */
export function isEventBatch(some: ChatEvent | ChatEvents): some is readonly ChatEvent[] {
  return Array.isArray(some);
}

/** Tokens of an event that counts as generated: reasoning and tool calls do, as text does (interface: `max_completion_tokens`). */
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
