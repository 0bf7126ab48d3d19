import type { StoredItem } from '@modelwire/ports';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { serialize } from '../query/serialized-json.ts';

/** An item of a response or conversation, as it is stored. */
export interface ItemRow {
  readonly position: number;
  readonly id: StoredText;
  readonly body: string;
}

export async function itemRows(items: readonly StoredItem[]): Promise<ItemRow[]> {
  const rows: ItemRow[] = [];
  for (const [position, item] of items.entries()) {
    const { text } = await serialize(item);
    rows.push({ position, id: toStored(item.id), body: text });
  }
  return rows;
}

/** UTF-16 code units of the items. */
export function lengthOf(rows: readonly ItemRow[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}

export function bytesOf(rows: readonly ItemRow[]): number {
  return rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
}

export function itemOf({ body }: { readonly body: string }): StoredItem {
  // What `itemRows` wrote.
  return JSON.parse(body) as StoredItem;
}
