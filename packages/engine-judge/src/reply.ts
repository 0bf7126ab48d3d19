import type { ChatEngine, EngineContext } from '@modelwire/ports';
import type { Question } from './question.ts';

/** Maximum characters of a reply. A verdict has about 400; the rest is for reasoning. */
const maxCharacters = 65_536;

/** The complete text of the reply; undefined if it called a tool, refused, was truncated or does not end. */
export async function replyText(
  { generate }: Pick<ChatEngine, 'generate'>,
  { request }: Question,
  context: EngineContext,
): Promise<string | undefined> {
  let text = '';
  let stopped = false;
  for await (const some of generate(request, context)) {
    context.signal.throwIfAborted();
    for (const event of [some].flat()) {
      if (event.type === 'text') text += event.text;
      else if (event.type === 'refusal' || event.type === 'tool_call' || event.type === 'function_call')
        return undefined;
      else if (event.type === 'finish') {
        if (event.reason !== 'stop') return undefined;
        stopped = true;
      }
      if (text.length > maxCharacters) return undefined;
    }
  }
  return stopped ? text : undefined;
}
