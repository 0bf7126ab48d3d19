import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import { flat } from '../events.ts';

/** Converts tool calls of the engine to the deprecated function call: the first call of each choice. */
export async function* asFunctionCall(events: ChatEvents): AsyncGenerator<ChatEvent> {
  for await (const event of flat(events)) {
    if (event.type === 'tool_call') {
      if (event.index === 0)
        yield { type: 'function_call', choice: event.choice, name: event.name, text: '', tokens: 0 };
    } else if (event.type === 'tool_input') {
      const { choice, text, tokens = 1 } = event;
      if (event.index === 0) yield { type: 'function_call', choice, text, tokens };
    } else if (event.type === 'finish' && event.reason === 'tool_calls') yield { ...event, reason: 'function_call' };
    else yield event;
  }
}
