import type { Terminal } from '../terminal.ts';
import { bytesText, durationText } from './units.ts';
import { fit } from './width.ts';

export interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** Name of the work. */
  readonly label: string;
  readonly unit?: 'bytes' | 'percent' | 'count';
  /** Amount that was done before this run, which does not count for the speed. */
  readonly alreadyDone?: number;
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
  let startedAt: number | undefined;
  let lastDrawnAt = -Infinity;
  let isVisible = false;
  return {
    update(state) {
      const now = performance.now();
      startedAt ??= now;
      if (now - lastDrawnAt < FRAME_MS && state.done < state.total) return;
      lastDrawnAt = now;
      isVisible = true;
      stderr.write(`\r\u001b[K${barLine(state, now - startedAt, terminal.columns())}`);
    },
    clear() {
      if (isVisible) stderr.write('\r\u001b[K');
      isVisible = false;
    },
  };
}

const speed = ({ done, alreadyDone = 0 }: ProgressState, elapsedMs: number): number =>
  elapsedMs > 0 ? ((done - alreadyDone) * 1000) / elapsedMs : 0;

/** At the speed so far; infinite before there is one. */
export function remainingSeconds(state: ProgressState, elapsedMs: number): number {
  const perSecond = speed(state, elapsedMs);
  return perSecond > 0 ? (state.total - state.done) / perSecond : Infinity;
}

export function barLine(state: ProgressState, elapsedMs: number, columns: number): string {
  const { done, total, label, unit = 'count' } = state;
  const fraction = total > 0 ? Math.min(1, done / total) : 1;
  const perSecond = speed(state, elapsedMs);
  const secondsLeft = remainingSeconds(state, elapsedMs);
  const details = [`${Math.floor(fraction * 100)}%`.padStart(4)];
  if (unit === 'bytes') details.push(`${bytesText(done)} of ${bytesText(total)}`);
  else if (unit === 'count') details.push(`${done} of ${total}`);
  if (unit === 'bytes' && perSecond > 0) details.push(`${bytesText(perSecond)}/s`);
  if (Number.isFinite(secondsLeft) && fraction < 1 && elapsedMs > 1000)
    details.push(`${durationText(secondsLeft)} left`);
  const detailText = details.join('  ');
  const name = fit(label, Math.max(8, columns - detailText.length - 16));
  const barWidth = Math.max(0, Math.min(30, columns - name.length - detailText.length - 6));
  const filledWidth = Math.round(fraction * barWidth);
  const line =
    barWidth < 4
      ? `${name} ${detailText}`
      : `${name} [${'#'.repeat(filledWidth)}${'.'.repeat(barWidth - filledWidth)}] ${detailText}`;
  // A longer line would wrap and could not be cleared.
  return fit(line, columns - 1);
}
