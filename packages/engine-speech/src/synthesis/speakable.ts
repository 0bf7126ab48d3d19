/** Punctuation that the synthesiser knows by other signs. */
const signs: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': ', ',
  '—': ', ',
  '…': '. ',
  '·': ', ',
  '•': ', ',
  '×': ' times ',
  '÷': ' divided by ',
  '°': ' degrees ',
  '€': ' euros ',
  '£': ' pounds ',
};

/**
 * A text as an English synthesiser of ASCII takes it: accents go, marks of Markdown are not read out, and what it has no sound for is a
 * pause. Empty if nothing can be pronounced.
 */
export function toSpeakableText(text: string): string {
  const plain = text
    .replace(/[‘’“”–—…·•×÷°€£]/g, (sign) => signs[sign] ?? ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[*_#`~|<>\\^]+/g, ' ')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain : '';
}
