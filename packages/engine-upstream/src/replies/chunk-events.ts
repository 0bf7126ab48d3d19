import { isRecord, parseJson, readUsage } from '@modelwire/adapter-kit';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { ChatEvent, RelayedChunk } from '@modelwire/ports';
import { createChoiceReader } from './choice-events.ts';
import type { ChoiceReader } from './choice-events.ts';
import { hasNewMeta, readMeta } from './chunk-fields.ts';
import { objectItems } from '../requests/json.ts';
import type { Payloads } from './payloads.ts';
import { hasContinuousUsage } from '../presets/presets.ts';

/** The events of the streamed reply of `open`, in the groups in which its chunks arrived. */
export async function* chunkEvents(
  open: () => Promise<Payloads<RelayedChunk>>,
  choiceCount: number,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const choices = new Map<unknown, ChoiceReader>();
  let lastMeta: ReturnType<typeof readMeta>;
  let isPromptCounted = false;
  const payloads = await open();
  const sendsContinuousUsage = choiceCount > 1 && hasContinuousUsage(payloads.server.preset);

  function read({ text, chunk: value }: RelayedChunk, events: ChatEvent[]): void {
    const chunk = value ?? parseJson(text);
    if (!isRecord(chunk)) return;
    const meta = readMeta(chunk);
    if (meta !== undefined && hasNewMeta(meta, lastMeta)) {
      lastMeta = meta;
      events.push(meta);
    }
    const items = objectItems(chunk['choices']);
    for (const fields of items) {
      const { index } = fields;
      let reader = choices.get(index);
      if (reader === undefined) choices.set(index, (reader = createChoiceReader(Number(index))));
      reader.read(fields, events);
    }
    const usage = readUsage(chunk['usage']);
    if (usage === undefined) return;
    if (sendsContinuousUsage && items.length > 0) {
      // Continuous usage counts the tokens of the choice of the chunk only; the prompt tokens are those of the request.
      if (!isPromptCounted) events.push({ type: 'usage', usage: promptUsage(usage) });
      isPromptCounted = true;
    } else events.push({ type: 'usage', usage });
  }

  for await (const batch of payloads) {
    const events: ChatEvent[] = [];
    for (const chunk of batch) read(chunk, events);
    if (events.length > 0) yield events;
  }
}

function promptUsage({ prompt_tokens, prompt_tokens_details: details }: CompletionUsage): CompletionUsage {
  return {
    prompt_tokens,
    completion_tokens: 0,
    total_tokens: prompt_tokens,
    ...(details && { prompt_tokens_details: details }),
  };
}
