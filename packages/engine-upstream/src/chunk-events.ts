import { isRecord, parseJson, readUsage } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import { createChoiceReader } from './choice-events.ts';
import type { ChoiceReader } from './choice-events.ts';
import { hasNewMeta, readMeta } from './chunk-fields.ts';
import { choicesMissing } from './failures.ts';
import { objectItems } from './json.ts';
import type { Payloads } from './payloads.ts';
import { hasContinuousUsage } from './presets.ts';

/**
 * The events of the streamed reply of `open`, in the groups in which they arrived. Each of the `asked` choices ends with one `finish` event,
 * also if the server sent none. A missing choice and a choice that was not requested are errors.
 */
export async function* chunkEvents(
  open: () => Promise<Payloads>,
  choiceCount: number,
  /** Converts a choice of another endpoint to a choice of a chat chunk. */
  toChatChoice: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (fields) => fields,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const choices = new Map<number, ChoiceReader>();
  let lastMeta: ReturnType<typeof readMeta>;
  let isPromptCounted = false;

  /** False for a choice that was not requested. */
  function read(payload: string, events: ChatEvent[], sendsContinuousUsage: boolean): boolean {
    const chunk = parseJson(payload);
    if (!isRecord(chunk)) return true;
    const meta = readMeta(chunk);
    if (meta !== undefined && hasNewMeta(meta, lastMeta)) {
      lastMeta = meta;
      events.push(meta);
    }
    for (const fields of objectItems(chunk['choices'])) {
      const { index = 0 } = fields;
      if (!isChoiceIndex(index, choiceCount)) return false;
      let state = choices.get(index);
      if (state === undefined) choices.set(index, (state = createChoiceReader(index)));
      state.read(toChatChoice(fields), events);
    }
    const usage = readUsage(chunk['usage']);
    if (usage === undefined) return true;
    if (sendsContinuousUsage && choiceCount > 1 && objectItems(chunk['choices']).length > 0) {
      // Continuous usage counts the tokens of the choice of the chunk only; the prompt tokens are those of the request.
      if (!isPromptCounted) events.push({ type: 'usage', usage: promptUsage(usage) });
      isPromptCounted = true;
    } else events.push({ type: 'usage', usage });
    return true;
  }

  const payloads = await open();
  const sendsContinuousUsage = hasContinuousUsage(payloads.server.preset);
  for await (const batch of payloads) {
    const events: ChatEvent[] = [];
    const isValid = batch.every((payload) => read(payload, events, sendsContinuousUsage));
    if (events.length > 0) yield events;
    if (!isValid) throw payloads.rejectReply('a choice that nobody asked for');
  }
  if (choices.size < choiceCount) throw choicesMissing(choices.size, choiceCount);
  const finishEvents: ChatEvent[] = [];
  for (const state of choices.values()) state.end(finishEvents);
  if (finishEvents.length > 0) yield finishEvents;
}

function promptUsage({ prompt_tokens, prompt_tokens_details: details }: CompletionUsage): CompletionUsage {
  return {
    prompt_tokens,
    completion_tokens: 0,
    total_tokens: prompt_tokens,
    ...(details && { prompt_tokens_details: details }),
  };
}

function isChoiceIndex(value: unknown, choiceCount: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < choiceCount;
}
