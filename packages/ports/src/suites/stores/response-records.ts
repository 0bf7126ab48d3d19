import type { ResponseOutputMessage } from '@modelwire/schema/types';
import type { ResponseStore, StoredItem, StoredResponse } from '../../response-store.ts';

let recordCount = 0;

/** A response like those that a server stores; everything has a default. */
export function storedResponse(init: Partial<StoredResponse> = {}): StoredResponse {
  const id = init.id ?? `resp_suite${++recordCount}`;
  return {
    id,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    completed_at: 1_700_000_001,
    error: null,
    incomplete_details: null,
    output: [assistantMessage(`msg_${id}`, `Answer of ${id}`)],
    usage: null,
    instructions: null,
    model: 'small',
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    previous_response_id: null,
    conversation: null,
    reasoning: { effort: null, summary: null },
    text: { format: { type: 'text' } },
    truncation: 'disabled',
    service_tier: 'default',
    store: true,
    background: false,
    prompt_cache_key: null,
    prompt_cache_retention: null,
    safety_identifier: null,
    user: null,
    ...init,
  };
}

/** A message of the model. */
export function assistantMessage(id: string, text: string): ResponseOutputMessage {
  const content = [{ type: 'output_text', text, annotations: [] }] as const;
  return { type: 'message', id, role: 'assistant', status: 'completed', content };
}

/** A message of the user. */
export function message(id: string, content: string): StoredItem {
  return { type: 'message', id, role: 'user', content };
}

/** Stores a response that has ended, with one input message. */
export async function storeTurn(
  responses: ResponseStore,
  init: Partial<StoredResponse> = {},
): Promise<{ readonly response: StoredResponse; readonly input: readonly StoredItem[] }> {
  const response = storedResponse(init);
  const input = [message(`msg_in_${response.id}`, `Question of ${response.id}`)];
  await responses.create({ response, isStreamed: false, work: undefined, input });
  return { response, input };
}
