import type { Vocabulary } from '../vocabulary.ts';

export interface ControlTokenEscaper {
  /** Replaces each control token in the strings of a value with a placeholder. */
  escape<Value>(value: Value): Value;
  /** Splits a rendered text at the placeholders. Escaped parts must be tokenized as plain text, even though they look like control tokens. */
  split(text: string): readonly { readonly text: string; readonly isEscaped: boolean }[];
}

/**
 * Escapes control tokens in request content: a message that contains `<|im_end|>` must not end its turn. Everything else is passed to the
 * template unchanged. Placeholders contain a random UUID, so that clients cannot forge them.
 */
export function createControlTokenEscaper({ findControlTokens }: Vocabulary): ControlTokenEscaper {
  const secret = crypto.randomUUID();
  const escaped: string[] = [];
  const escapeText = (text: string): string => {
    let out = '';
    let from = 0;
    for (const { start, end } of findControlTokens(text)) {
      out += `${text.slice(from, start)}\ue0f0${secret}:${escaped.length}\ue0f1`;
      escaped.push(text.slice(start, end));
      from = end;
    }
    return from === 0 ? text : out + text.slice(from);
  };
  return {
    escape: (value) => mapTexts(value, escapeText),
    split: (text) => {
      if (escaped.length === 0) return [{ text, isEscaped: false }];
      const parts = text.split(new RegExp(`\ue0f0${secret}:(\\d+)\ue0f1`));
      return parts
        .map((part, at) =>
          at % 2 === 0 ? { text: part, isEscaped: false } : { text: escaped[Number(part)] ?? '', isEscaped: true },
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
