declare const stored: unique symbol;

/**
 * Text as stored in a column. PostgreSQL rejects NUL and both databases alter lone surrogates, so these characters and U+0001 are escaped
 * as U+0001 and four hex digits. All other text is stored unchanged, and different texts stay different.
 */
export type StoredText = string & { readonly [stored]: true };

const unsafeCharacter = /[\0\u0001]|\p{Cs}/u;
const unsafeCharacters = new RegExp(unsafeCharacter.source, 'gu');

export function toStored(text: string): StoredText {
  const safe = unsafeCharacter.test(text)
    ? text.replace(unsafeCharacters, (unit) => `\u0001${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
  return safe as StoredText;
}

export function fromStored(text: StoredText): string {
  return text.includes('\u0001')
    ? text.replace(/\u0001([\da-f]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;
}
