import { concatBytes, textUntil } from './guide.ts';
import type { Guide } from './guide.ts';

/** Hidden text up to its mark: it cannot end before. */
export function hiddenUntil(mark: string, then: () => Guide): Guide {
  const bytes = new TextEncoder().encode(mark);
  const hidden = (text: Guide): Guide => ({
    ...text,
    advance: (byte) => {
      const next = text.advance(byte);
      return next && text.says(byte).channel !== 'mark' ? hidden(next) : next;
    },
    canEnd: false,
    completion: () => concatBytes(bytes.subarray(text.held), then().completion()),
    says: (byte) => ({ channel: 'none', byte }),
    hidden: true,
  });
  return hidden(textUntil(mark, then));
}

/** The same, with up to this number of hidden line breaks before it. */
export function withoutNewlines(most: number, guide: Guide): Guide {
  if (most === 0) return guide;
  const isNewline = (byte: number): boolean => byte === 0x0a;
  return {
    ...guide,
    advance: (byte) => (isNewline(byte) ? withoutNewlines(most - 1, guide) : guide.advance(byte)),
    says: (byte) => (isNewline(byte) ? { channel: 'none', byte } : guide.says(byte)),
  };
}
