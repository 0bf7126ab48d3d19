import type { Style, StyleName } from '../output/style.ts';
import { renderInline } from './inline.ts';
import { renderTable } from './table.ts';
import { createWrapper } from './wrap.ts';

/** Renders Markdown for a terminal while it is streamed. Printed text is never changed, so any terminal works and nothing flickers. */
export interface MarkdownStream {
  push(text: string): string;
  /** Returns the buffered text. */
  end(): string;
}

/** The beginning of a line whose kind is not known yet. It is buffered, which takes a few characters. */
const UNDECIDED =
  /^\s*(> ?)*\s*(#{1,6} *|([-+*]|\d{1,9}[.)]) *(\[[ xX]?\]? *)?|(\* *){2,}|(- *){2,}|(_ *)+|\d{1,9}|`{1,2}|~{1,2})?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}((\* *){3,}|(- *){3,}|(_ *){3,})$/;
const TABLE = /^ {0,3}\|/;

export function createMarkdown(style: Style, columns: () => number): MarkdownStream {
  const wrapper = createWrapper(columns);
  /** Text of the line that is not printed yet. */
  let buffer = '';
  /** Whether the kind of the line is known. */
  let isStarted = false;
  let previous = '';
  let base: readonly StyleName[] = [];
  let fence: string | undefined;
  let table: string[] = [];

  return {
    push(text) {
      let out = '';
      const [first = '', ...others] = text.replaceAll('\r', '').split('\n');
      out += append(first);
      for (const line of others) out += endLine() + append(line);
      return out;
    },
    end() {
      const open = isStarted || buffer !== '';
      let out = open ? endLine() : '';
      out += flushTable();
      if (fence !== undefined) out += style.off('cyan');
      fence = undefined;
      // The caller prints the last newline.
      return open ? out.replace(/\n$/, '') : out;
    },
  };

  function append(text: string): string {
    buffer += text;
    if (fence !== undefined || buffer === '') return '';
    if (isStarted) return showInline(false);
    if (UNDECIDED.test(buffer) || TABLE.test(buffer) || FENCE.test(buffer)) return '';
    return flushTable() + start() + showInline(false);
  }

  function endLine(): string {
    const line = buffer;
    if (fence !== undefined) return codeLine(line, fence);
    if (!isStarted) {
      if (TABLE.test(line)) {
        table.push(line);
        buffer = '';
        return '';
      }
      const [, opening] = FENCE.exec(line) ?? [];
      const out = flushTable();
      if (opening !== undefined) {
        fence = opening;
        buffer = '';
        return `${out}${style('dim', line)}\n`;
      }
      if (RULE.test(line)) {
        buffer = '';
        return `${out}${style('dim', '─'.repeat(Math.min(40, columns())))}\n`;
      }
      return out + start() + finish();
    }
    return finish();
  }

  function finish(): string {
    const out = showInline(true) + wrapper.flush() + base.map((name) => style.off(name)).join('') + wrapper.newline();
    buffer = '';
    isStarted = false;
    previous = '';
    base = [];
    return out;
  }

  function codeLine(line: string, open: string): string {
    buffer = '';
    const closing = FENCE.exec(line)?.[1];
    const closes = closing?.startsWith(open) === true && line.trim() === closing;
    if (!closes) return `${style('cyan', line)}\n`;
    fence = undefined;
    return `${style('dim', line)}\n`;
  }

  /** Renders the markers at the start of the line, once its kind is known. */
  function start(): string {
    isStarted = true;
    let out = '';
    let hangingIndent = '';
    const takePrefix = (pattern: RegExp): RegExpExecArray | null => {
      const match = pattern.exec(buffer);
      if (match !== null) buffer = buffer.slice(match[0].length);
      return match;
    };
    const heading = takePrefix(/^ {0,3}(#{1,6}) +/);
    if (heading !== null) {
      base = heading[1] === '#' ? ['bold', 'underline'] : ['bold'];
      return base.map((name) => style.on(name)).join('');
    }
    while (takePrefix(/^ {0,3}> ?/) !== null) {
      out += style('dim', '│ ');
      hangingIndent += '  ';
    }
    const item = takePrefix(/^(\s*)(?:[-+*]|(\d{1,9}[.)])) +(?:\[([ xX])\] +)?/);
    if (item !== null) {
      const [, space = '', number, box] = item;
      const marker = box === undefined ? (number ?? '•') : box === ' ' ? '☐' : '☑';
      out += `${space}${marker} `;
      hangingIndent += ' '.repeat(space.length + marker.length + 1);
    }
    const rendered = wrapper.push(out) + wrapper.flush();
    wrapper.indent(hangingIndent);
    return rendered;
  }

  function showInline(isWhole: boolean): string {
    if (!isStarted) return '';
    const { rendered, consumed } = renderInline(buffer, previous, isWhole, style, base);
    if (consumed > 0) previous = buffer.charAt(consumed - 1);
    buffer = buffer.slice(consumed);
    return wrapper.push(rendered);
  }

  function flushTable(): string {
    if (table.length === 0) return '';
    const lines = table;
    table = [];
    return renderTable(lines, columns(), style);
  }
}
