import { withoutControls } from '../output/controls.ts';
import type { Style } from '../output/style.ts';
import type { Check } from './check.ts';

const MARKS = { ok: '✓', warning: '!', error: '✗', skipped: '-' } as const;
const COLORS = { ok: 'green', warning: 'yellow', error: 'red', skipped: 'dim' } as const;

/** The lines of a check: its result, and how to fix the problem. */
export function checkText({ name, status, message, fix }: Check, style: Style): string {
  const line = `${style(COLORS[status], MARKS[status])} ${name.padEnd(14)} ${withoutControls(message)}\n`;
  return line + (fix === undefined ? '' : `  ${' '.repeat(14)} ${style('bold', `→ ${withoutControls(fix)}`)}\n`);
}
