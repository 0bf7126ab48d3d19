import type { ResponseInputItem, ResponseItem, ResponseItemReference } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { bodyTooLarge, notFound } from '../errors.ts';
import { toStoredItems } from './stored-items.ts';

/** A list of items in a request. */
interface ItemList {
  readonly items: string | readonly ResponseInputItem[];
  /** Its path in the request, for errors. */
  readonly path: 'input' | 'items';
}

/**
 * The items of a request as they are stored: `item_reference` items are replaced by the items that they name.
 *
 * @throws a 404 for an ID that is not stored in the project, a 413 when the items that are named are larger than a body may be, each as often
 * as it is referenced.
 */
export async function storedInput(
  { items, path }: ItemList,
  { principal }: Pick<Call, 'principal'>,
  { options, createId }: ServerContext,
): Promise<readonly ResponseItem[]> {
  if (typeof items === 'string') return toStoredItems(items, createId);
  const ids = items.flatMap((item) => (item.type === 'item_reference' ? [item.id] : []));
  const responses = options.stores?.project(principal.project).responses;
  const found = new Map((ids.length === 0 ? [] : await responses?.findItems(ids))?.map((item) => [item.id, item]));
  const lengths = new Map<string, number>();
  let length = 0;
  const resolved = items.map((item, index): Exclude<ResponseInputItem, ResponseItemReference> => {
    if (item.type !== 'item_reference') return item;
    const stored = found.get(item.id);
    if (!stored) throw notFound('stored item', item.id, `${path}[${index}].id`);
    const itemLength = lengths.get(item.id) ?? JSON.stringify(stored).length;
    lengths.set(item.id, itemLength);
    length += itemLength;
    if (length > options.maxBodyBytes) throw bodyTooLarge(options.maxBodyBytes);
    return stored;
  });
  return toStoredItems(resolved, createId);
}
