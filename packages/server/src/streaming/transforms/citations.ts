import type { UrlCitationAnnotation } from '@modelwire/schema/types';
import type { ChatEvent, ChatEvents, WebSearchResult } from '@modelwire/ports';
import { flat } from '../events.ts';

/** Passes the events on, and adds to each choice the results that its text cites. */
export async function* withCitations(
  events: ChatEvents,
  results: readonly WebSearchResult[],
): AsyncGenerator<ChatEvent> {
  const texts = new Map<number, string>();
  for await (const event of flat(events)) {
    if (event.type === 'text') texts.set(event.choice, (texts.get(event.choice) ?? '') + event.text);
    if (event.type === 'finish') {
      const annotations = citations(texts.get(event.choice) ?? '', results);
      if (annotations.length > 0) yield { type: 'annotations', choice: event.choice, annotations };
    }
    yield event;
  }
}

/**
 * Finds citations of results: by number in brackets, `[1]`, or by URL. Positions are in characters (code points), as the limits of the
 * interface count them; the end is exclusive.
 */
export function citations(text: string, results: readonly WebSearchResult[]): UrlCitationAnnotation[] {
  const found: { readonly start: number; readonly end: number; readonly result: WebSearchResult }[] = [];
  for (const match of text.matchAll(/\[(\d{1,2})\]|【(\d{1,2})】/g)) {
    const result = results[Number(match[1] ?? match[2]) - 1];
    if (result) found.push({ start: match.index, end: match.index + match[0].length, result });
  }
  // Of two URLs where one is a prefix of the other, the longer one matches.
  for (const result of results.toSorted((a, b) => b.url.length - a.url.length)) {
    for (let start = text.indexOf(result.url); start !== -1; start = text.indexOf(result.url, start + 1)) {
      const end = start + result.url.length;
      if (!found.some((other) => other.start < end && start < other.end)) found.push({ start, end, result });
    }
  }
  const characters = positions(text);
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, result: { title, url } }) => ({
      type: 'url_citation',
      url_citation: { start_index: characters(start), end_index: characters(end), title, url },
    }));
}

/** Converts a position in UTF-16 code units to one in characters. Positions can be in any order. */
function positions(text: string): (at: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (at) => at;
  return (at) => Array.from(text.slice(0, at)).length;
}
