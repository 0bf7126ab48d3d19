import { concatBytes, textUntil } from './guide.ts';
import type { Guide } from './guide.ts';

/** Hidden text up to a delimiter, before which the reply cannot end. */
export function hiddenUntil(delimiter: string, followUp: () => Guide): Guide {
  const bytes = new TextEncoder().encode(delimiter);
  const hidden = (text: Guide): Guide => ({
    ...text,
    advance: (byte) => {
      const next = text.advance(byte);
      return next && text.outputOf(byte).channel !== 'delimiter' ? hidden(next) : next;
    },
    canEnd: false,
    completion: () => concatBytes(bytes.subarray(text.heldBytes), followUp().completion()),
    outputOf: (byte) => ({ channel: 'none', byte }),
    isHidden: true,
  });
  return hidden(textUntil(delimiter, followUp));
}

/** The same guide after up to `max` hidden line breaks. */
export function withoutLeadingNewlines(max: number, guide: Guide): Guide {
  if (max === 0) return guide;
  const isNewline = (byte: number): boolean => byte === 0x0a;
  return {
    ...guide,
    advance: (byte) => (isNewline(byte) ? withoutLeadingNewlines(max - 1, guide) : guide.advance(byte)),
    outputOf: (byte) => (isNewline(byte) ? { channel: 'none', byte } : guide.outputOf(byte)),
  };
}
