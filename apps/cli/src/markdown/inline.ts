import type { Style, StyleName } from '../output/style.ts';

/** What a piece of a line came to: what can be shown, and from where on it must be waited for more. */
export interface Inline {
  readonly shown: string;
  /** Characters of the text that were used. */
  readonly used: number;
}

/** How much may be held back for a mark that might be closed yet. */
const LONGEST_SPAN = 400;
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;
const PLAIN = /[^\\`*_~[!]+/y;

/**
 * Emphasis, code and links of one line. A mark is shown as what it means once it is closed, and as it is once the line is
 * over (`isWhole`), so that a lone star stays a star; until then, the text from it on is held back.
 */
export function renderInline(
  text: string,
  before: string,
  isWhole: boolean,
  style: Style,
  outer: readonly StyleName[] = [],
): Inline {
  let shown = '';
  let at = 0;
  while (at < text.length) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0];
    if (plain !== undefined) {
      shown += plain;
      at += plain.length;
      continue;
    }
    const rest = text.slice(at);
    const previous = at === 0 ? before : text.charAt(at - 1);
    const span = readSpan(rest, previous, isWhole || rest.length > LONGEST_SPAN);
    if (span === undefined) break;
    shown += span.styles.length === 0 ? span.text : styled(span, style, outer);
    at += span.length;
  }
  return { shown, used: at };
}

interface Span {
  readonly styles: readonly StyleName[];
  readonly text: string;
  /** Shown faintly behind it: where a link leads. */
  readonly after?: string;
  /** Whether marks within it count. */
  readonly nests?: true;
  readonly length: number;
}

function styled({ styles, text, after, nests }: Span, style: Style, outer: readonly StyleName[]): string {
  const all = [...outer, ...styles];
  const inner = nests === true ? renderInline(text, '', true, style, all).shown : text;
  const on = styles.map((name) => style.on(name)).join('');
  // Turning one off may turn another off with it (bold and dim share a code), so those around are turned on again.
  const off = styles.map((name) => style.off(name)).join('') + outer.map((name) => style.on(name)).join('');
  return on + inner + off + (after === undefined ? '' : style('dim', after));
}

/** The span at the beginning of the text; nothing where that cannot be known yet. */
function readSpan(text: string, previous: string, isWhole: boolean): Span | undefined {
  const literal = (length: number): Span => ({ styles: [], text: text.slice(0, length), length });
  switch (text.charAt(0)) {
    case '\\':
      if (text.length === 1) return isWhole ? literal(1) : undefined;
      return PUNCTUATION.test(text.charAt(1)) ? { styles: [], text: text.charAt(1), length: 2 } : literal(1);
    case '`':
      return readCode(text, isWhole, literal);
    case '[':
      return readLink(text, 0, isWhole, literal);
    case '!':
      if (text.length === 1) return isWhole ? literal(1) : undefined;
      return text.charAt(1) === '[' ? readLink(text, 1, isWhole, literal) : literal(1);
    default:
      return readEmphasis(text, previous, isWhole, literal);
  }
}

type Literal = (length: number) => Span;

function readCode(text: string, isWhole: boolean, literal: Literal): Span | undefined {
  const run = runAt(text, 0);
  const end = codeEnd(text, 0, isWhole);
  if (end === undefined) return undefined;
  if (end === run) return literal(run);
  const inner = text.slice(run, end - run);
  return { styles: ['cyan'], text: inner.trim() === '' ? inner : inner.replace(/^ (.*) $/, '$1'), length: end };
}

/** Where the code that begins here ends; behind its ticks where it is none; nothing where that cannot be known yet. */
function codeEnd(text: string, at: number, isWhole: boolean): number | undefined {
  const run = runAt(text, at);
  for (let next = at + run; next < text.length;) {
    const open = text.indexOf('`', next);
    if (open === -1) break;
    const ticks = runAt(text, open);
    next = open + ticks;
    // One more tick might come.
    if (next === text.length && !isWhole) return undefined;
    if (ticks === run) return next;
  }
  return isWhole ? at + run : undefined;
}

function readLink(text: string, bang: number, isWhole: boolean, literal: Literal): Span | undefined {
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
  const mayCome = /^!?\[[^\]]*(\](\([^)]*)?)?$/.test(text);
  return mayCome && !isWhole ? undefined : literal(bang + 1);
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

function readEmphasis(text: string, previous: string, isWhole: boolean, literal: Literal): Span | undefined {
  const mark = /^(\*+|_+|~+)/.exec(text)?.[0] ?? text.charAt(0);
  const next = text.charAt(mark.length);
  if (next === '' && !isWhole) return undefined;
  const styles = EMPHASIS[mark];
  // `2**3`, `snake_case` and `a * b` are none.
  if (styles === undefined || next === '' || /\s/.test(next) || isWordy(previous)) return literal(mark.length);
  const sign = mark.charAt(0);
  for (let end = mark.length + 1; end < text.length; end++) {
    if (text.charAt(end) === '\\') end++;
    else if (text.charAt(end) === '`') {
      const behind = codeEnd(text, end, isWhole);
      if (behind === undefined) return undefined;
      end = behind - 1;
    } else if (text.charAt(end) === sign && !/\s/.test(text.charAt(end - 1))) {
      const run = runAt(text, end);
      const after = text.charAt(end + run);
      if (after === '' && !isWhole) return undefined;
      if (run === mark.length && !isWordy(after)) {
        return { styles, text: text.slice(mark.length, end), nests: true, length: end + run };
      }
      end += run - 1;
    }
  }
  return isWhole ? literal(mark.length) : undefined;
}

function runAt(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === text.charAt(at)) end++;
  return end - at;
}

function isWordy(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}
