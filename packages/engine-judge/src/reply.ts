import type { ChatEngine, EngineContext } from '@modelwire/ports';
import type { Question } from './question.ts';

/** Characters of an answer that are read. A verdict has some 400; the rest is room for thinking aloud. */
const maxCharacters = 65_536;

/** The whole text of the model's answer; undefined where it called a tool, refused, was cut short or does not come to an end. */
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
