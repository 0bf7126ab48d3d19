import type { Style, StyleName } from '../output/style.ts';

/** Result of rendering part of a line. */
export interface Inline {
  readonly rendered: string;
  /** Number of characters that were rendered; the rest must be passed again with more text. */
  readonly consumed: number;
}

/** Maximum text to buffer while waiting for a closing marker. */
const MAX_SPAN = 400;
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;
const PLAIN = /[^\\`*_~[!]+/y;

/**
 * Renders emphasis, code and links in one line. Text from an opening marker on is buffered until the marker is closed. A marker that is
 * not closed by the end of the line (`isComplete`) is printed unchanged.
 */
export function renderInline(
  text: string,
  before: string,
  isComplete: boolean,
  style: Style,
  outer: readonly StyleName[] = [],
): Inline {
  let rendered = '';
  let index = 0;
  while (index < text.length) {
    PLAIN.lastIndex = index;
    const plainText = PLAIN.exec(text)?.[0];
    if (plainText !== undefined) {
      rendered += plainText;
      index += plainText.length;
      continue;
    }
    const rest = text.slice(index);
    const previous = index === 0 ? before : text.charAt(index - 1);
    const span = readSpan(rest, previous, isComplete || rest.length > MAX_SPAN);
    if (span === undefined) break;
    rendered += span.styles.length === 0 ? span.text : styled(span, style, outer);
    index += span.length;
  }
  return { rendered, consumed: index };
}

interface Span {
  readonly styles: readonly StyleName[];
  readonly text: string;
  /** Printed dimmed after the text: the target of a link. */
  readonly after?: string;
  /** Whether the text can contain other spans. */
  readonly nests?: true;
  readonly length: number;
}

function styled({ styles, text, after, nests }: Span, style: Style, outer: readonly StyleName[]): string {
  const all = [...outer, ...styles];
  const inner = nests === true ? renderInline(text, '', true, style, all).rendered : text;
  const on = styles.map((name) => style.on(name)).join('');
  // Ending a style can end another one (bold and dim share a code), so the outer styles are started again.
  const off = styles.map((name) => style.off(name)).join('') + outer.map((name) => style.on(name)).join('');
  return on + inner + off + (after === undefined ? '' : style('dim', after));
}

/** The span at the start of the text, or `undefined` if more text is needed. */
function readSpan(text: string, previous: string, isComplete: boolean): Span | undefined {
  const literal = (length: number): Span => ({ styles: [], text: text.slice(0, length), length });
  switch (text.charAt(0)) {
    case '\\':
      if (text.length === 1) return isComplete ? literal(1) : undefined;
      return PUNCTUATION.test(text.charAt(1)) ? { styles: [], text: text.charAt(1), length: 2 } : literal(1);
    case '`':
      return readCode(text, isComplete, literal);
    case '[':
      return readLink(text, 0, isComplete, literal);
    case '!':
      if (text.length === 1) return isComplete ? literal(1) : undefined;
      return text.charAt(1) === '[' ? readLink(text, 1, isComplete, literal) : literal(1);
    default:
      return readEmphasis(text, previous, isComplete, literal);
  }
}

type Literal = (length: number) => Span;

function readCode(text: string, isComplete: boolean, literal: Literal): Span | undefined {
  const run = runAt(text, 0);
  const end = codeEnd(text, 0, isComplete);
  if (end === undefined) return undefined;
  if (end === run) return literal(run);
  const inner = text.slice(run, end - run);
  return { styles: ['cyan'], text: inner.trim() === '' ? inner : inner.replace(/^ (.*) $/, '$1'), length: end };
}

/** End of the code span that starts here, or of its ticks if it is none. `undefined` if more text is needed. */
function codeEnd(text: string, index: number, isComplete: boolean): number | undefined {
  const run = runAt(text, index);
  for (let next = index + run; next < text.length;) {
    const open = text.indexOf('`', next);
    if (open === -1) break;
    const ticks = runAt(text, open);
    next = open + ticks;
    // Another tick can follow.
    if (next === text.length && !isComplete) return undefined;
    if (ticks === run) return next;
  }
  return isComplete ? index + run : undefined;
}

function readLink(text: string, bang: number, isComplete: boolean, literal: Literal): Span | undefined {
  const match = /^!?\[([^\]]*)\]\(\s*<?([^\s)>]*)>?(?:\s+"[^"]*")?\s*\)/.exec(text);
  if (match !== null) {
    const [whole, label = '', target = ''] = match;
    const after = target === '' || target === label ? undefined : ` (${target})`;
    return {
      styles: ['underline'],
      text: label === '' ? target : label,
      nests: true,
      length: whole.length,
      ...(after !== undefined && { after }),
    };
  }
  const canContinue = /^!?\[[^\]]*(\](\([^)]*)?)?$/.test(text);
  return canContinue && !isComplete ? undefined : literal(bang + 1);
}

const EMPHASIS: Readonly<Record<string, readonly StyleName[]>> = {
  '*': ['italic'],
  _: ['italic'],
  '**': ['bold'],
  __: ['bold'],
  '***': ['bold', 'italic'],
  ___: ['bold', 'italic'],
  '~~': ['strike'],
};

function readEmphasis(text: string, previous: string, isComplete: boolean, literal: Literal): Span | undefined {
  const mark = /^(\*+|_+|~+)/.exec(text)?.[0] ?? text.charAt(0);
  const next = text.charAt(mark.length);
  if (next === '' && !isComplete) return undefined;
  const styles = EMPHASIS[mark];
  // `2**3`, `snake_case` and `a * b` are no emphasis.
  if (styles === undefined || next === '' || /\s/.test(next) || isWordCharacter(previous)) return literal(mark.length);
  const delimiter = mark.charAt(0);
  for (let end = mark.length + 1; end < text.length; end++) {
    if (text.charAt(end) === '\\') end++;
    else if (text.charAt(end) === '`') {
      const previousCharacter = codeEnd(text, end, isComplete);
      if (previousCharacter === undefined) return undefined;
      end = previousCharacter - 1;
    } else if (text.charAt(end) === delimiter && !/\s/.test(text.charAt(end - 1))) {
      const run = runAt(text, end);
      const after = text.charAt(end + run);
      if (after === '' && !isComplete) return undefined;
      if (run === mark.length && !isWordCharacter(after)) {
        return { styles, text: text.slice(mark.length, end), nests: true, length: end + run };
      }
      end += run - 1;
    }
  }
  return isComplete ? literal(mark.length) : undefined;
}

function runAt(text: string, index: number): number {
  let end = index;
  while (text.charAt(end) === text.charAt(index)) end++;
  return end - index;
}

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}
