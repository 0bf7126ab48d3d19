import type { Terminal } from '../terminal.ts';
import { bytesText, durationText } from './units.ts';
import { fit } from './width.ts';

export interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** Name of the work. */
  readonly label: string;
  readonly unit?: 'bytes' | 'percent' | 'count';
  /** Amount that was done before, which does not count for the speed. */
  readonly before?: number;
}

export interface Progress {
  update(state: ProgressState): void;
  /** Removes the progress bar before other output. */
  clear(): void;
}

/** Minimum time between two updates of the terminal. */
const FRAME_MS = 80;

/** A progress bar on stderr if it is a terminal, otherwise nothing. */
export function createProgress(terminal: Terminal, quiet: boolean): Progress {
  if (quiet || !terminal.isTTY.stderr || terminal.env['TERM'] === 'dumb') {
    return { update: () => undefined, clear: () => undefined };
  }
  const { stderr } = terminal;
  let started: number | undefined;
  let drawn = -Infinity;
  let visible = false;
  return {
    update(state) {
      const now = performance.now();
      started ??= now;
      if (now - drawn < FRAME_MS && state.done < state.total) return;
      drawn = now;
      visible = true;
      stderr.write(`\r\u001b[K${barLine(state, now - started, terminal.columns())}`);
    },
    clear() {
      if (visible) stderr.write('\r\u001b[K');
      visible = false;
    },
  };
}

export function barLine(state: ProgressState, elapsedMs: number, columns: number): string {
  const { done, total, label, unit = 'count', before = 0 } = state;
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const perSecond = elapsedMs > 0 ? ((done - before) * 1000) / elapsedMs : 0;
  const left = perSecond > 0 ? (total - done) / perSecond : Infinity;
  const facts = [`${Math.floor(share * 100)}%`.padStart(4)];
  if (unit === 'bytes') facts.push(`${bytesText(done)} of ${bytesText(total)}`);
  else if (unit === 'count') facts.push(`${done} of ${total}`);
  if (unit === 'bytes' && perSecond > 0) facts.push(`${bytesText(perSecond)}/s`);
  if (Number.isFinite(left) && share < 1 && elapsedMs > 1000) facts.push(`${durationText(left)} left`);
  const tail = facts.join('  ');
  const name = fit(label, Math.max(8, columns - tail.length - 16));
  const room = Math.max(0, Math.min(30, columns - name.length - tail.length - 6));
  const full = Math.round(share * room);
  const line = room < 4 ? `${name} ${tail}` : `${name} [${'#'.repeat(full)}${'.'.repeat(room - full)}] ${tail}`;
  // A longer line would wrap and could not be cleared.
  return fit(line, columns - 1);
}
