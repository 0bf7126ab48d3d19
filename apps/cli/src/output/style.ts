import type { Terminal } from '../terminal.ts';

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  magenta: [35, 39],
} as const;

export type StyleName = keyof typeof CODES;

/** Colors and text styles, or plain text if they are disabled. */
export interface Style {
  readonly enabled: boolean;
  (name: StyleName, text: string): string;
  on(name: StyleName): string;
  off(name: StyleName): string;
}

export function createStyle(enabled: boolean): Style {
  const code = (number: number): string => (enabled ? `\u001b[${number}m` : '');
  const on = (name: StyleName): string => code(CODES[name][0]);
  const off = (name: StyleName): string => code(CODES[name][1]);
  const style = (name: StyleName, text: string): string => (text === '' ? '' : `${on(name)}${text}${off(name)}`);
  return Object.assign(style, { enabled, on, off });
}

/** Whether to use colors: on a terminal that supports them, unless disabled (no-color.org). */
export function wantsColor(terminal: Terminal, stream: 'stdout' | 'stderr', noColor: boolean): boolean {
  const { NO_COLOR, TERM, FORCE_COLOR } = terminal.env;
  if (noColor || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return terminal.isTTY[stream] && TERM !== 'dumb';
}
