import type { ResponseInputItem, ResponseItemReference } from '@modelwire/schema/types';
import type { ResponseStore } from '@modelwire/ports';
import { bodyTooLarge, notFound } from '../errors.ts';

interface ResolveInit {
  /** The stores of the project; undefined without stores. */
  readonly responses: ResponseStore | undefined;
  /** Path of the list in the request, for errors: `input` or `items`. */
  readonly path: string;
  /** UTF-16 code units that all referenced items together may have, each as often as it is referenced. */
  readonly maxLength: number;
}

/**
 * Replaces `item_reference` items by the items that they name.
 *
 * @throws a 404 for an ID that is not stored in the project, a 413 when the items are larger than `maxLength`.
 */
export async function resolveReferences(
  items: readonly ResponseInputItem[],
  { responses, path, maxLength }: ResolveInit,
): Promise<readonly Exclude<ResponseInputItem, ResponseItemReference>[]> {
  const ids = items.flatMap((item) => (item.type === 'item_reference' ? [item.id] : []));
  const found = new Map((ids.length === 0 ? [] : await responses?.findItems(ids))?.map((item) => [item.id, item]));
  const lengths = new Map<string, number>();
  let length = 0;
  return items.map((item, index) => {
    if (item.type !== 'item_reference') return item;
    const stored = found.get(item.id);
    if (!stored) throw notFound('stored item', item.id, `${path}[${index}].id`);
    let itemLength = lengths.get(item.id);
    if (itemLength === undefined) lengths.set(item.id, (itemLength = JSON.stringify(stored).length));
    length += itemLength;
    if (length > maxLength) throw bodyTooLarge(maxLength);
    return stored;
  });
}
