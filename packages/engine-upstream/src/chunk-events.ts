import { isRecord } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import { openChoice } from './choice-events.ts';
import type { ChoiceState } from './choice-events.ts';
import { hasNewMeta, readMeta, readUsage } from './chunk-facts.ts';
import { choicesMissing } from './failures.ts';
import { objectsIn, parseJson } from './json.ts';
import type { Payloads } from './payloads.ts';

/**
 * The events of the streamed reply of `open`, in the groups in which they arrived. Each of the `asked` choices ends with one `finish` event,
 * also if the server sent none. A missing choice and a choice that was not requested are errors.
 */
export async function* chunkEvents(
  open: () => Promise<Payloads>,
  asked: number,
  /** Converts a choice of another endpoint to a choice of a chat chunk. */
  asChatChoice: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (fields) => fields,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const choices = new Map<number, ChoiceState>();
  let told: ReturnType<typeof readMeta>;
  let isPromptCounted = false;

  /** False for a choice that was not requested. */
  function read(payload: string, events: ChatEvent[], hasContinuousUsage: boolean): boolean {
    const chunk = parseJson(payload);
    if (!isRecord(chunk)) return true;
    const meta = readMeta(chunk);
    if (meta !== undefined && hasNewMeta(meta, told)) {
      told = meta;
      events.push(meta);
    }
    for (const fields of objectsIn(chunk['choices'])) {
      const { index = 0 } = fields;
      if (!isIndex(index, asked)) return false;
      let state = choices.get(index);
      if (state === undefined) choices.set(index, (state = openChoice(index)));
      state.read(asChatChoice(fields), events);
    }
    const usage = readUsage(chunk['usage']);
    if (usage === undefined) return true;
    if (hasContinuousUsage && asked > 1 && objectsIn(chunk['choices']).length > 0) {
      // Continuous usage counts the tokens of the choice of the chunk only; the prompt tokens are those of the request.
      if (!isPromptCounted) events.push({ type: 'usage', usage: promptOnly(usage) });
      isPromptCounted = true;
    } else events.push({ type: 'usage', usage });
    return true;
  }

  const payloads = await open();
  for await (const batch of payloads) {
    const events: ChatEvent[] = [];
    const understood = batch.every((payload) => read(payload, events, payloads.hasContinuousUsage));
    if (events.length > 0) yield events;
    if (!understood) throw payloads.refuse('a choice that nobody asked for');
  }
  if (choices.size < asked) throw choicesMissing(choices.size, asked);
  const ends: ChatEvent[] = [];
  for (const state of choices.values()) state.end(ends);
  if (ends.length > 0) yield ends;
}

function promptOnly({ prompt_tokens, prompt_tokens_details: details }: CompletionUsage): CompletionUsage {
  return {
    prompt_tokens,
    completion_tokens: 0,
    total_tokens: prompt_tokens,
    ...(details && { prompt_tokens_details: details }),
  };
}

function isIndex(value: unknown, asked: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < asked;
}
