import * as z from 'zod';
import type { WebSearchResult } from '@modelwire/ports';

/** Bytes of a reply; what is longer is no list of results. */
export const maxReplyBytes = 1024 * 1024;

const reply = z.looseObject({
  results: z.array(
    z
      .looseObject({ title: z.string().default(''), url: z.string(), text: z.string().default('') })
      .transform(({ title, url, text }): WebSearchResult => ({ title, url, text })),
  ),
});

/** What a search of somebody else answered. @throws an Error for what is no list of results. */
export function readReply(text: string): readonly WebSearchResult[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('the search answered no JSON');
  }
  const parsed = reply.safeParse(json);
  if (!parsed.success) throw new Error('the search answered no { "results": [{ "title", "url", "text" }] }');
  return parsed.data.results;
}
