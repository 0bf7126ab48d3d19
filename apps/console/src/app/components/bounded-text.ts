/** Characters of one text that a page shows at most. A browser takes seconds to lay out a line of a million. */
export const maxShownCharacters = 20_000;

export interface BoundedText {
  readonly shown: string;
  readonly hiddenCharacters: number;
}

/** The first characters of a text, and how many follow. Never splits a surrogate pair. */
export function boundText(text: string, max: number = maxShownCharacters): BoundedText {
  if (text.length <= max) return { shown: text, hiddenCharacters: 0 };
  const last = text.charCodeAt(max - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return { shown: text.slice(0, end), hiddenCharacters: text.length - end };
}
