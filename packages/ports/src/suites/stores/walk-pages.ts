import type { Page } from '../../page.ts';

/** The IDs of all pages of a list, from the first to the last. */
export async function walkPages(
  list: (after: string | undefined) => Promise<Page<{ readonly id: string }> | undefined>,
  between: (page: readonly string[]) => Promise<void> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let more = true; more;) {
    const page = await list(ids.at(-1));
    if (!page) throw new Error('the cursor is unknown');
    const found = page.items.map(({ id }) => id);
    ids.push(...found);
    more = page.hasMore;
    await between(found);
  }
  return ids;
}
