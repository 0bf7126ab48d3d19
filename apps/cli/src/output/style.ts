import { styleText } from 'node:util';
import type { Terminal } from '../terminal.ts';

export type StyleName = Extract<Parameters<typeof styleText>[0], string>;

/** Colors and text styles, or plain text if they are disabled. */
export interface Style {
  readonly enabled: boolean;
  (name: StyleName, text: string): string;
}

export function createStyle(enabled: boolean): Style {
  const style = (name: StyleName, text: string): string =>
    enabled && text !== '' ? styleText(name, text, { validateStream: false }) : text;
  return Object.assign(style, { enabled });
}

/** Whether to use colors: on a terminal that supports them, unless disabled (no-color.org). */
export function wantsColor(terminal: Terminal, stream: 'stdout' | 'stderr', noColor: boolean): boolean {
  const { NO_COLOR, TERM, FORCE_COLOR } = terminal.env;
  if (noColor || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return terminal.isTTY[stream] && TERM !== 'dumb';
}
