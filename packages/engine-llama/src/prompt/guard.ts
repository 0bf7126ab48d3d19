import type { Vocabulary } from '../vocabulary.ts';

export interface Guard {
  /** Returns the value with each control token in its strings replaced by a mark. */
  hide<Value>(value: Value): Value;
  /** Splits a text at these marks: the replaced parts are plain text, even if they look like control tokens. */
  pieces(text: string): readonly { readonly text: string; readonly hidden: boolean }[];
}

/**
 * Separates request content from the template: a message that contains `<|im_end|>` must not end itself. Only control tokens
 * are marked, so that templates see everything else unchanged. The marks contain a secret and cannot be forged.
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

/** Maps all strings of a JSON value, including property names. */
function mapTexts<Value>(value: Value, map: (text: string) => string): Value;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]));
}
