import { api } from '../../api/client.ts';
import { retrieveWithParameters } from '../../api/completions.ts';
import { storedRequest } from './stored-request.ts';

/** More would take thousands of requests to read. */
export const maxSelected = 1_000;

/** Completions that are read at the same time. */
const concurrency = 4;

/** The requests of stored completions as JSON Lines for a batch, in the order of `ids`. `custom_id` is the ID of the completion. */
export async function batchLines(ids: readonly string[], onProgress: (read: number) => void): Promise<string> {
  const lines: string[] = [];
  const waiting = [...ids.entries()];
  let read = 0;
  async function readNext(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, id] = next;
      const [completion, messages] = await Promise.all([
        retrieveWithParameters(id),
        Array.fromAsync(api.chat.completions.messages.list(id, { limit: 100 })),
      ]);
      const body = storedRequest(completion, messages);
      lines[index] = JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body });
      read += 1;
      onProgress(read);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readNext));
  return lines.map((line) => `${line}\n`).join('');
}
