/** Maximum length of a text on a page. A browser takes seconds to lay out a line of a million characters. */
const maxShownCharacters = 20_000;

export interface TruncatedText {
  readonly shown: string;
  readonly hiddenCharacters: number;
}

/** The first characters of a text, and the number of those that follow. Does not split a surrogate pair. */
export function truncateText(text: string, max: number = maxShownCharacters): TruncatedText {
  if (text.length <= max) return { shown: text, hiddenCharacters: 0 };
  const last = text.charCodeAt(max - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return { shown: text.slice(0, end), hiddenCharacters: text.length - end };
}
