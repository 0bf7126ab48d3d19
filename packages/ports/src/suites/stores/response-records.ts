import type { ResponseStore, StoredItem, StoredResponse } from '../../response-store.ts';

let made = 0;

/** A response like those that a server stores; everything has a default. */
export function storedResponse(init: Partial<StoredResponse> = {}): StoredResponse {
  const id = init.id ?? `resp_suite${++made}`;
  return {
    id,
    created_at: 1_700_000_000,
    status: 'completed',
    previous_response_id: null,
    metadata: {},
    output: [message(`msg_${id}`, 'assistant', `Answer of ${id}`)],
    ...init,
  };
}

export function message(id: string, role: string, content: string): StoredItem {
  const item = { id, type: 'message', role, content };
  return item;
}

/** Stores a response that has ended, with one input message. */
export async function storeTurn(
  responses: ResponseStore,
  init: Partial<StoredResponse> = {},
): Promise<{ readonly response: StoredResponse; readonly input: readonly StoredItem[] }> {
  const response = storedResponse(init);
  const input = [message(`msg_in_${response.id}`, 'user', `Question of ${response.id}`)];
  await responses.create({ response, isStreamed: false, work: undefined, input });
  return { response, input };
}
