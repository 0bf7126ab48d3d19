import { parseJson } from '@modelwire/adapter-kit';
import * as z from 'zod';
import type { WebSearchResult } from '@modelwire/ports';

/** Maximum bytes of a reply. */
export const maxReplyBytes = 1024 * 1024;

const reply = z.looseObject({
  results: z.array(
    z
      .looseObject({ title: z.string().default(''), url: z.string(), text: z.string().default('') })
      .transform(({ title, url, text }): WebSearchResult => ({ title, url, text })),
  ),
});

/** Parses the reply of an external search. @throws an Error for anything other than a list of results. */
export function parseReply(text: string): readonly WebSearchResult[] {
  const json = parseJson(text);
  if (json === undefined) throw new Error('the search did not return JSON');
  const parsed = reply.safeParse(json);
  if (!parsed.success) throw new Error('the search did not return { "results": [{ "title", "url", "text" }] }');
  return parsed.data.results;
}
