import type { Printer } from './output/printer.ts';

/** Deletes one after the other, and says so of each. */
export async function deleteAll(
  ids: readonly string[],
  remove: (id: string) => Promise<{ readonly id: string }>,
  print: Printer,
): Promise<undefined> {
  for (const id of ids) {
    const deleted = await remove(id);
    if (print.json) await print.value(deleted);
    else print.note(`deleted ${deleted.id}`);
  }
  return undefined;
}
