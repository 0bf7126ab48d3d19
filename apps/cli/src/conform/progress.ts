import type { ConformanceProgress } from '@modelwire/conformance';
import type { App } from '../app.ts';
import { remainingSeconds } from '../output/progress.ts';
import { durationText } from '../output/units.ts';

/** Time between two redraws in a terminal while no check ends. */
const REDRAW_MS = 1000;
/** Time after which a log gets a line although few checks have ended, so that CI does not take the run for dead. */
const LINE_MS = 15_000;

/** Shows how far a run is: in a terminal a bar, elsewhere a line for each tenth of the checks and every 15 seconds. */
export function followRun(
  { terminal, print }: Pick<App, 'terminal' | 'print'>,
  stop: AbortSignal,
  shard: string | undefined,
) {
  // Parts that run at the same time share a log.
  const part = shard === undefined ? '' : `part ${shard}: `;
  const startedAt = performance.now();
  let latest: ConformanceProgress | undefined;
  let lastLine = { tenth: 0, atMs: startedAt };

  function show(): void {
    if (latest === undefined || stop.aborted) return;
    const { done, total, earlier, failed, running } = latest;
    const failures = failed > 0 ? [`${failed} failed`] : [];
    const label = `${part}${[...failures, ...running.slice(0, 1)].join(', ')}`;
    const state = { done, total, alreadyDone: earlier, unit: 'count', label } as const;
    print.progress.update(state);
    if (terminal.isTTY.stderr) return;
    const now = performance.now();
    const tenth = Math.floor((done * 10) / total);
    if (tenth === lastLine.tenth && now - lastLine.atMs < LINE_MS) return;
    lastLine = { tenth, atMs: now };
    const seconds = remainingSeconds(state, now - startedAt);
    const isLast = done === total;
    const left = !isLast && Number.isFinite(seconds) ? [`about ${durationText(seconds)} left`] : [];
    const current = !isLast && running.length > 0 ? `; running ${running.slice(0, 2).join(', ')}` : '';
    print.note(`${part}${[`${done} of ${total} checks`, ...failures, ...left].join(', ')}${current}`);
  }

  const timer = setInterval(show, REDRAW_MS);
  return {
    update(progress: ConformanceProgress): void {
      const { earlier, total } = progress;
      if (latest === undefined && earlier > 0) {
        lastLine.tenth = Math.floor((earlier * 10) / total);
        print.note(`${part}${earlier} of ${total} checks have results; ${total - earlier} are left`);
      }
      latest = progress;
      show();
    },
    end(): void {
      clearInterval(timer);
      print.progress.clear();
    },
  };
}
