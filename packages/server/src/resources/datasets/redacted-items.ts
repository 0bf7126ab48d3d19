import { RequestError } from '../../errors.ts';
import type { Redaction } from '../../options/types.ts';
import { parseItem } from './dataset-item.ts';
import type { DatasetItem } from './dataset-item.ts';

/** Items as the operator's redaction returns them, each with its ID and in its place. @throws a 500 if the redaction fails. */
export async function* redactedItems(
  items: AsyncIterable<DatasetItem>,
  redaction: Redaction,
  signal: AbortSignal,
): AsyncGenerator<DatasetItem> {
  const ids: string[] = [];
  let failure: { readonly error: unknown } | undefined;
  async function* lines(): AsyncGenerator<string> {
    try {
      for await (const item of items) {
        ids.push(item.item.id);
        yield JSON.stringify(item);
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    for await (const line of redaction.redact(lines(), { signal })) {
      const item = parseItem(line);
      if (item.item.id !== ids.shift()) throw new Error('the redaction changed the order or the IDs of lines');
      yield item;
    }
    if (ids.length > 0) throw new Error('the redaction returned fewer lines than it received');
  } catch (error) {
    signal.throwIfAborted();
    if (failure) throw failure.error;
    throw new RequestError('The command that redacts datasets failed. The log of the server has the reason.', {
      status: 500,
      code: 'redaction_failed',
      headers: { 'x-should-retry': 'false' },
      cause: error,
    });
  }
}
