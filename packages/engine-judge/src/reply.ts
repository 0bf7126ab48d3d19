import type { ChatEngine, EngineContext } from '@modelwire/ports';
import type { Question } from './question.ts';

/** Maximum characters of a reply. A verdict has about 400; the rest is for reasoning. */
const maxCharacters = 65_536;

/** The complete text of a reply, or why there is none. */
export type Reply =
  { readonly text: string; readonly problem?: undefined } | { readonly text?: undefined; readonly problem: string };

/** Collects the reply of the engine to a question. */
export async function readReply(
  { generate }: Pick<ChatEngine, 'generate'>,
  { request }: Question,
  context: EngineContext,
): Promise<Reply> {
  let text = '';
  let hasEnded = false;
  for await (const some of generate(request, context)) {
    context.signal.throwIfAborted();
    for (const event of [some].flat()) {
      if (event.type === 'text') text += event.text;
      else if (event.type === 'refusal') return { problem: 'it was a refusal' };
      else if (event.type === 'tool_call' || event.type === 'function_call') return { problem: 'it called a tool' };
      else if (event.type === 'finish') {
        if (event.reason !== 'stop') return { problem: `it ended with the finish reason '${event.reason}'` };
        hasEnded = true;
      }
      if (text.length > maxCharacters) return { problem: 'it was too long' };
    }
  }
  return hasEnded ? { text } : { problem: 'it was incomplete' };
}
