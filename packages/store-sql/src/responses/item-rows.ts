import type { StoredItem } from '@modelwire/ports';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

/** An item of a response or conversation, as it is stored. */
export interface ItemRow {
  readonly position: number;
  readonly id: StoredText;
  readonly body: string;
}

export function itemRows(items: readonly StoredItem[]): ItemRow[] {
  return items.map((item, position) => ({ position, id: toStored(item.id), body: JSON.stringify(item) }));
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
