import { api } from '../../api/client.ts';
import { retrieveWithParameters } from '../../api/completions.ts';
import { buildStoredRequest } from './stored-request.ts';

/** Maximum number of selected completions: each takes at least two requests to read. */
export const maxSelectedCompletions = 1_000;

/** Number of completions that are read concurrently. */
const concurrency = 4;

/** The requests of stored completions as JSON Lines for a batch, in the order of `ids`. `custom_id` is the ID of the completion. */
export async function buildBatchLines(
  ids: readonly string[],
  onProgress: (readCount: number) => void,
): Promise<string> {
  const lines: string[] = [];
  const remaining = [...ids.entries()];
  let readCount = 0;
  async function readNext(): Promise<void> {
    for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
      const [index, id] = next;
      const [completion, messages] = await Promise.all([
        retrieveWithParameters(id),
        Array.fromAsync(api.chat.completions.messages.list(id, { limit: 100 })),
      ]);
      const body = buildStoredRequest(completion, messages);
      lines[index] = JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body });
      readCount += 1;
      onProgress(readCount);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readNext));
  return lines.map((line) => `${line}\n`).join('');
}
