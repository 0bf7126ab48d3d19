import type { Vocabulary } from '../vocabulary.ts';

export interface Guard {
  /** The same value, each control token that is spelled out in its texts replaced by a mark. */
  hide<Value>(value: Value): Value;
  /** A text with such marks, cut at them: what is hidden is text, also where it looks like a control token. */
  pieces(text: string): readonly { readonly text: string; readonly hidden: boolean }[];
}

/**
 * Keeps what people say apart from what the template says: a message that spells `<|im_end|>` must not end itself. Only those places are
 * marked, so that templates see everything else as it is. The marks hold a secret: nobody can write one.
 */
export function openGuard({ controlsIn }: Vocabulary): Guard {
  const secret = crypto.randomUUID();
  const hidden: string[] = [];
  const hideText = (text: string): string => {
    let out = '';
    let from = 0;
    for (const { start, end } of controlsIn(text)) {
      out += `${text.slice(from, start)}\ue0f0${secret}:${hidden.length}\ue0f1`;
      hidden.push(text.slice(start, end));
      from = end;
    }
    return from === 0 ? text : out + text.slice(from);
  };
  return {
    hide: (value) => mapTexts(value, hideText),
    pieces: (text) => {
      if (hidden.length === 0) return [{ text, hidden: false }];
      const parts = text.split(new RegExp(`\ue0f0${secret}:(\\d+)\ue0f1`));
      return parts
        .map((part, at) =>
          at % 2 === 0 ? { text: part, hidden: false } : { text: hidden[Number(part)] ?? '', hidden: true },
        )
        .filter((piece) => piece.text !== '');
    },
  };
}

/** A JSON value with all its texts, names of fields included, put through a function. */
function mapTexts<Value>(value: Value, map: (text: string) => string): Value;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]));
}
