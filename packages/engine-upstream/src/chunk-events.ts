import type { ChatEvent } from '@modelwire/server';
import { openChoice } from './choice-events.ts';
import type { ChoiceState } from './choice-events.ts';
import { isNews, readMeta, readUsage } from './chunk-facts.ts';
import { incomplete } from './failures.ts';
import { isObject, objects, parseJson } from './json.ts';

/**
 * The events of the streamed reply that `open` gets. Each of the `asked` choices ends with one `finish`, whether the server said so or not;
 * a choice that never came is an error.
 */
export async function* chunkEvents(
  open: () => Promise<AsyncIterable<readonly string[]>>,
  asked: number,
): AsyncGenerator<ChatEvent, void, undefined> {
  const choices = new Map<number, ChoiceState>();
  let told: ReturnType<typeof readMeta>;
  for await (const batch of await open()) {
    for (const payload of batch) {
      const chunk = parseJson(payload);
      if (!isObject(chunk)) continue;
      const meta = readMeta(chunk);
      if (meta !== undefined && isNews(meta, told)) {
        told = meta;
        yield meta;
      }
      for (const fields of objects(chunk['choices'])) {
        const { index } = fields;
        const choice = typeof index === 'number' ? index : 0;
        if (choice < 0 || choice >= asked) continue;
        let state = choices.get(choice);
        if (state === undefined) choices.set(choice, (state = openChoice(choice)));
        yield* state.read(fields);
      }
      const usage = readUsage(chunk['usage']);
      if (usage !== undefined) yield { type: 'usage', usage };
    }
  }
  if (choices.size < asked) throw incomplete(choices.size, asked);
  for (const state of choices.values()) yield* state.end();
}
