import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Writable } from 'node:stream';
import type { App } from '../app.ts';
import { describeError } from '../describe-error.ts';
import { oneLine } from '../output/controls.ts';
import { fit } from '../output/width.ts';
import { snapshotText } from './screen.ts';
import type { Snapshot } from './snapshot.ts';

const enterScreen = '\u001b[?1049h\u001b[?25l';
const leaveScreen = '\u001b[?25h\u001b[?1049l';

/** Redraws the terminal every `intervalMs` until `q` or Ctrl-C. A failed read is shown below the last snapshot. */
export async function watch(
  { terminal, print, signal, baseURL }: App,
  first: Snapshot,
  read: () => Promise<Snapshot>,
  intervalMs: number,
): Promise<void> {
  const quit = new AbortController();
  const stop = AbortSignal.any([signal, quit.signal]);
  const release = onQuit(terminal, () => quit.abort());
  const hasEnded = (): boolean => stop.aborted;
  let shown = first;
  let problem: string | undefined;
  try {
    await print.raw(enterScreen);
    while (!hasEnded()) {
      await draw();
      await sleep(intervalMs, undefined, { signal: stop }).catch(() => undefined);
      if (!hasEnded()) await update();
    }
  } finally {
    release();
    await print.raw(leaveScreen);
  }

  async function update(): Promise<void> {
    try {
      shown = await read();
      problem = undefined;
    } catch (error) {
      problem = describeError(error, baseURL).message;
    }
  }

  async function draw(): Promise<void> {
    const columns = terminal.columns();
    const footer =
      problem === undefined ? print.style('dim', 'q quits') : print.style('red', fit(oneLine(problem), columns));
    const lines = snapshotText(shown, print.style, columns).trimEnd().split('\n');
    const fitting = lines.slice(0, Math.max(1, terminal.rows() - 2));
    await print.raw(`\u001b[H${[...fitting, '', footer].map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`);
  }
}

/** Calls back when the user types `q` or Ctrl-C. Returns a function that stops listening. */
function onQuit({ stdin }: App['terminal'], quit: () => void): () => void {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nothing, terminal: true });
  const onKey = (text: string | undefined): void => {
    if (text === 'q' || text === 'Q') quit();
  };
  stdin.on('keypress', onKey);
  reader.on('SIGINT', quit);
  return () => {
    stdin.off('keypress', onKey);
    reader.close();
  };
}
