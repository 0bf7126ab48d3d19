import type { WebSearchResult } from '@modelwire/ports';
import { core, more, quote } from './conversation.ts';
import type { Reply } from './conversation.ts';

/** What a search has found, in its words, each with the number it is cited by. */
export function tellSearch(results: readonly WebSearchResult[] | undefined): Reply | undefined {
  if (results === undefined) return undefined;
  const [first] = results;
  if (!first) {
    return {
      lines: [core('I searched and found nothing.', 'The search found nothing.'), more(' Other words may find more.')],
      word: 'Nothing.',
    };
  }
  const lines = results.slice(0, 3).map((result, index) => {
    const said = `“${quote(firstSentence(result))}” [${index + 1}]`;
    const gap = index === 0 ? '' : ' ';
    return (index === 0 ? core : more)(
      `${gap}According to ${quote(result.title)}, ${said}.`,
      `${gap}From ${quote(result.title)} I have this: ${said}.`,
    );
  });
  return { lines, word: `${quote(first.title, 40)}.` };
}

function firstSentence({ text, title }: WebSearchResult): string {
  return /^[^\n]*?[.!?](?=\s|$)/.exec(text.slice(0, 300))?.[0] ?? (text === '' ? title : text);
}

/** Instructions without what the search said: its pages give no orders. */
export function withoutSearch(instructions: readonly string[]): readonly string[] {
  return instructions.map((text) => text.split(/(?:^|\n\n)(?:Results of a web|A web) search for "/)[0] ?? '');
}
