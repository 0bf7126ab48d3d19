import type { Style, StyleName } from '../output/style.ts';
import { renderInline } from './inline.ts';
import { renderTable } from './table.ts';
import { createWrapper } from './wrap.ts';

/** Markdown as it comes, for a terminal: what was written is never changed, so nothing flickers and any terminal will do. */
export interface MarkdownStream {
  push(text: string): string;
  /** What is held back. */
  end(): string;
}

/** What a line may still turn out to be: it is held back until that is known, which takes a few characters. */
const UNDECIDED =
  /^\s*(> ?)*\s*(#{1,6} *|([-+*]|\d{1,9}[.)]) *(\[[ xX]?\]? *)?|(\* *){2,}|(- *){2,}|(_ *)+|\d{1,9}|`{1,2}|~{1,2})?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}((\* *){3,}|(- *){3,}|(_ *){3,})$/;
const TABLE = /^ {0,3}\|/;

export function createMarkdown(style: Style, columns: () => number): MarkdownStream {
  const wrapper = createWrapper(columns);
  /** The line so far, or what of it is not shown yet once its kind is known. */
  let held = '';
  let begun = false;
  let before = '';
  let base: readonly StyleName[] = [];
  let fence: string | undefined;
  let table: string[] = [];

  return {
    push(text) {
      let out = '';
      const [first = '', ...others] = text.replaceAll('\r', '').split('\n');
      out += more(first);
      for (const line of others) out += endLine() + more(line);
      return out;
    },
    end() {
      const open = begun || held !== '';
      let out = open ? endLine() : '';
      out += flushTable();
      if (fence !== undefined) out += style.off('cyan');
      fence = undefined;
      // The last newline is the caller's.
      return open ? out.replace(/\n$/, '') : out;
    },
  };

  function more(text: string): string {
    held += text;
    if (fence !== undefined || held === '') return '';
    if (begun) return showInline(false);
    if (UNDECIDED.test(held) || TABLE.test(held) || FENCE.test(held)) return '';
    return flushTable() + begin() + showInline(false);
  }

  function endLine(): string {
    const line = held;
    if (fence !== undefined) return codeLine(line, fence);
    if (!begun) {
      if (TABLE.test(line)) {
        table.push(line);
        held = '';
        return '';
      }
      const [, opening] = FENCE.exec(line) ?? [];
      const out = flushTable();
      if (opening !== undefined) {
        fence = opening;
        held = '';
        return `${out}${style('dim', line)}\n`;
      }
      if (RULE.test(line)) {
        held = '';
        return `${out}${style('dim', '─'.repeat(Math.min(40, columns())))}\n`;
      }
      return out + begin() + finish();
    }
    return finish();
  }

  function finish(): string {
    const out = showInline(true) + wrapper.flush() + base.map((name) => style.off(name)).join('') + wrapper.newline();
    held = '';
    begun = false;
    before = '';
    base = [];
    return out;
  }

  function codeLine(line: string, open: string): string {
    held = '';
    const closing = FENCE.exec(line)?.[1];
    const closes = closing?.startsWith(open) === true && line.trim() === closing;
    if (!closes) return `${style('cyan', line)}\n`;
    fence = undefined;
    return `${style('dim', line)}\n`;
  }

  /** The kind of the line is known: its marks become what they mean. */
  function begin(): string {
    begun = true;
    let out = '';
    let hanging = '';
    const take = (pattern: RegExp): RegExpExecArray | null => {
      const match = pattern.exec(held);
      if (match !== null) held = held.slice(match[0].length);
      return match;
    };
    const heading = take(/^ {0,3}(#{1,6}) +/);
    if (heading !== null) {
      base = heading[1] === '#' ? ['bold', 'underline'] : ['bold'];
      return base.map((name) => style.on(name)).join('');
    }
    while (take(/^ {0,3}> ?/) !== null) {
      out += style('dim', '│ ');
      hanging += '  ';
    }
    const item = take(/^(\s*)(?:[-+*]|(\d{1,9}[.)])) +(?:\[([ xX])\] +)?/);
    if (item !== null) {
      const [, space = '', number, box] = item;
      const sign = box === undefined ? (number ?? '•') : box === ' ' ? '☐' : '☑';
      out += `${space}${sign} `;
      hanging += ' '.repeat(space.length + sign.length + 1);
    }
    const shown = wrapper.push(out) + wrapper.flush();
    wrapper.indent(hanging);
    return shown;
  }

  function showInline(isWhole: boolean): string {
    if (!begun) return '';
    const { shown, used } = renderInline(held, before, isWhole, style, base);
    if (used > 0) before = held.charAt(used - 1);
    held = held.slice(used);
    return wrapper.push(shown);
  }

  function flushTable(): string {
    if (table.length === 0) return '';
    const lines = table;
    table = [];
    return renderTable(lines, columns(), style);
  }
}
