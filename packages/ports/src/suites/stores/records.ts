import type { ChatCompletionStoredMessage, Metadata } from '@modelwire/schema/types';
import type { CompletionRecord, CompletionStore } from '../../completion-store.ts';
import { walkPages } from './walk-pages.ts';

let recordCount = 0;

export interface CompletionRecordInit {
  readonly id?: string;
  readonly created?: number;
  readonly model?: string;
  readonly apiKeyId?: string;
  readonly finishReason?: 'stop' | 'length';
  readonly metadata?: Metadata;
  readonly messages?: readonly Omit<ChatCompletionStoredMessage, 'id'>[];
}

/** A completion like those that a server stores; everything has a default. */
export function completionRecord({
  id = `chatcmpl-suite-${++recordCount}`,
  created = 1_700_000_000,
  model = 'small',
  apiKeyId,
  finishReason = 'stop',
  metadata = {},
  messages = [{ role: 'user', content: 'Hello' }],
}: CompletionRecordInit = {}): CompletionRecord {
  return {
    completion: {
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: `Answer of ${id}`, refusal: null },
          finish_reason: finishReason,
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
      request_id: `req_${id}`,
      ...(apiKeyId !== undefined && { api_key_id: apiKeyId }),
      metadata,
    },
    messages: messages.map((message, index) => ({ id: `${id}-${index}`, ...message })),
  };
}

/** Appends them one after the other, and returns the IDs in that order. */
export async function appendAll(store: CompletionStore, inits: readonly CompletionRecordInit[]): Promise<string[]> {
  const ids: string[] = [];
  for (const init of inits) {
    const record = completionRecord(init);
    await store.append(record);
    ids.push(record.completion.id);
  }
  return ids;
}

/** The IDs of all pages of a list, from the first to the last. */
export const listAllIds = (
  store: CompletionStore,
  query: Omit<Parameters<CompletionStore['list']>[0], 'after'>,
  between?: (page: readonly string[]) => Promise<void>,
): Promise<string[]> => walkPages((after) => store.list({ ...query, after }), between);
