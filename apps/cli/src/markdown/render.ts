import { Lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import type { Style } from '../output/style.ts';
import { widthOf } from '../output/width.ts';
import { createWrapper } from './wrap.ts';

/** Renders Markdown for a terminal while it is streamed. Printed text is never changed, so any terminal works and nothing flickers. */
export interface MarkdownStream {
  push(text: string): string;
  /** Returns the buffered text. */
  end(): string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6} +/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const TABLE = /^ {0,3}\|/;
/** Quotes and list items, before their text. */
const MARKERS = /^\s*(?:> ?)*(?:([-+*]|\d{1,9}[.)]) +(?:\[([ xX])\] +)?)?/;
/** Text that is not the beginning of another block. */
const PARAGRAPH = /^(?:[^\s#>|`~*_+[\d-]|[*_]{1,3}[^\s*_]|`[^`]|\d+[^\d.)]|[-+][^\s-]|\[(?![ xX]?\]? *$))/;
/** What can begin a span that is not complete. */
const OPENING = /\\|[~`[]|\*(?!\s)|(?<![\p{L}\p{N}])_/u;
/** The maximum text to buffer while waiting for the end of a span. */
const MAX_SPAN = 400;
// Styles have no width.
const STYLES = /\u001b\[\d+m/g;

export function createMarkdown(style: Style, columns: () => number): MarkdownStream {
  const wrapper = createWrapper(columns);
  /** The part of the line that is not printed yet. */
  let line = '';
  /** Whether the beginning of the line is printed. */
  let isStarted = false;
  let fence: string | undefined;
  let table: string[] = [];

  return {
    push(text) {
      const [first = '', ...others] = text.replaceAll('\r', '').split('\n');
      line += first;
      let out = '';
      for (const next of others) {
        out += endLine();
        line = next;
      }
      return out + printWords();
    },
    end() {
      const out = (line === '' && !isStarted ? '' : endLine()) + endTable();
      // The caller prints the last newline.
      return out.replace(/\n$/, '');
    },
  };

  /** Prints the words of the line that further text cannot change. */
  function printWords(): string {
    if (fence !== undefined) return '';
    let out = '';
    if (!isStarted) {
      const text = line.replace(MARKERS, '');
      if (!PARAGRAPH.test(text)) return '';
      out += endTable() + start();
    }
    const tokens: Token[] = [];
    for (const token of Lexer.lexInline(line)) {
      const raw = finalPart(token, line.charAt(token.raw.length));
      if (raw !== '') tokens.push(raw === token.raw ? token : { type: 'text', raw, text: raw });
      line = line.slice(raw.length);
      if (raw !== token.raw) break;
    }
    return out + wrapper.print(inline(tokens));
  }

  function endLine(): string {
    if (fence !== undefined) return codeLine(fence);
    if (!isStarted && TABLE.test(line)) {
      table.push(line);
      return '';
    }
    let out = isStarted ? '' : endTable();
    const [, opening] = isStarted ? [] : (FENCE.exec(line) ?? []);
    if (opening !== undefined) {
      fence = opening;
      return `${out}${style('dim', line)}\n`;
    }
    if (!isStarted && RULE.test(line)) return `${out}${style('dim', '─'.repeat(Math.min(40, columns())))}\n`;
    const [heading] = isStarted ? [] : (HEADING.exec(line) ?? []);
    if (heading !== undefined) {
      const text = inline(Lexer.lexInline(line.slice(heading.length)));
      out += wrapper.print(style('bold', heading.trim() === '#' ? style('underline', text) : text));
    } else out += (isStarted ? '' : start()) + wrapper.print(inline(Lexer.lexInline(line)));
    isStarted = false;
    return out + wrapper.newline();
  }

  function codeLine(open: string): string {
    const closes = line.trim().startsWith(open) && FENCE.exec(line)?.[1] === line.trim();
    if (closes) fence = undefined;
    return `${style(closes ? 'dim' : 'cyan', line)}\n`;
  }

  /** Prints the markers at the beginning of the line. */
  function start(): string {
    isStarted = true;
    const [markers = '', item, box] = MARKERS.exec(line) ?? [];
    line = line.slice(markers.length);
    const quotes = '│ '.repeat(markers.split('>').length - 1);
    const space = quotes === '' && item !== undefined ? (/^\s*/.exec(markers)?.[0] ?? '') : '';
    const bullet = box === undefined ? item?.replace(/^[-+*]$/, '•') : box === ' ' ? '☐' : '☑';
    return wrapper.begin(style('dim', quotes) + space + (bullet === undefined ? '' : `${bullet} `));
  }

  function endTable(): string {
    if (table.length === 0) return '';
    const text = `${table.join('\n')}\n`;
    table = [];
    const [token] = Lexer.lex(text);
    const rendered = token?.type === 'table' ? renderTable(token as Tokens.Table) : text;
    return rendered ?? text;
  }

  /** `undefined` if the table is wider than the terminal. */
  function renderTable({ header, rows, align }: Tokens.Table): string | undefined {
    const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens)));
    const widthsOf = (row: readonly string[]): number[] => row.map((cell) => widthOf(cell.replace(STYLES, '')));
    const widths = header.map((_, at) => Math.max(...cells.map((row) => widthsOf(row)[at] ?? 0)));
    if (widths.reduce((sum, each) => sum + each + 2, 0) > columns()) return undefined;
    const [head = '', ...others] = cells.map((row) => {
      const padded = row.map((cell, at) => {
        const pad = ' '.repeat((widths[at] ?? 0) - (widthsOf(row)[at] ?? 0));
        return align[at] === 'right' ? pad + cell : cell + pad;
      });
      return padded.join('  ').trimEnd();
    });
    const under = widths.map((width) => '─'.repeat(width)).join('  ');
    return [style('bold', head), style('dim', under), ...others].map((each) => `${each}\n`).join('');
  }

  function inline(tokens: readonly Token[] = []): string {
    return tokens.map(span).join('');
  }

  function span(token: Token): string {
    const inner = 'tokens' in token ? inline(token.tokens) : 'text' in token ? String(token.text) : token.raw;
    switch (token.type) {
      case 'strong':
        return style('bold', inner);
      case 'em':
        return style('italic', inner);
      case 'del':
        return style('strikethrough', inner);
      case 'codespan':
        return style('cyan', inner);
      case 'link':
      case 'image': {
        const { href } = token as Tokens.Link | Tokens.Image;
        return style('underline', inner) + (href === inner ? '' : style('dim', ` (${href})`));
      }
      case 'text':
      case 'escape':
        return inner;
      default:
        return token.raw;
    }
  }
}

/** The part of a token that further text cannot change: words in front of what can begin a span, or a span with text after it. */
function finalPart({ type, raw }: Token, next: string): string {
  if (type !== 'text') return /[^*_~`]/.test(next) || raw.length > MAX_SPAN ? raw : '';
  const opening = raw.length > MAX_SPAN ? -1 : raw.search(OPENING);
  if (opening !== -1) return raw.slice(0, opening).replace(/\S*$/, '');
  return next === '' ? raw.replace(/\S*$/, '') : raw;
}
