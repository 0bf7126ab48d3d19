import { fork } from 'node:child_process';
import { VideoError } from '@modelwire/ports';
import { invalidReference } from './protocol.ts';
import type { Report, RenderJob } from './protocol.ts';

/** Time limit for decoding an image, which also suffices at low priority on a busy machine. */
const decodeMs = 30_000;
/** The environment variables of the process: only those that it needs, no keys. */
const passedOn = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'HOME', 'USERPROFILE', 'LD_LIBRARY_PATH'];

/** Renders in a separate process. Reports arrive in order. When the signal aborts, the process is killed immediately. */
export async function renderInProcess(
  work: RenderJob,
  signal: AbortSignal,
  take: (report: Report) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const here = import.meta.url;
  const child = fork(new URL(here.endsWith('.ts') ? './renderer.ts' : './renderer.js', here), {
    serialization: 'advanced',
    // Without the flags of the server: two processes cannot share a debugger port.
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    env: {
      ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
      // System fonts would change the frames of the same prompt.
      DISABLE_SYSTEM_FONTS_LOAD: '1',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Detached, because Ctrl-C is sent to the whole process group of a terminal; the server kills this process when it shuts down.
    detached: true,
    windowsHide: true,
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let stderrText = '';
  child.stderr?.on('data', (text: Buffer) => (stderrText = (stderrText + text.toString()).slice(-2000)));

  let isDecoding = work.reference !== undefined;
  let outcome: Error | 'done' | undefined;
  const decodeTimeout = setTimeout(() => {
    if (!isDecoding) return;
    outcome = invalidReference('it takes too long to decode');
    kill();
  }, decodeMs);
  // In order: files are saved before the end is reported.
  let reportsHandled = Promise.resolve();
  child.on('message', (report: Report) => {
    isDecoding = false;
    if (report.type === 'done') {
      outcome = 'done';
    } else if (report.type === 'failed') {
      outcome = report.code === undefined ? new Error(report.message) : new VideoError(report.code, report.message);
    } else {
      reportsHandled = reportsHandled.then(() => take(report));
      reportsHandled.catch(kill);
    }
  });
  const ended = new Promise<Error | undefined>((resolve) => {
    child.once('error', resolve);
    child.once('close', (code, by) =>
      resolve(new Error(`the renderer ended with ${String(code ?? by)}: ${stderrText}`)),
    );
  });
  child.send(work, () => undefined);
  const end = await ended;
  clearTimeout(decodeTimeout);
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  await reportsHandled;
  if (outcome === 'done') return;
  if (!outcome && isDecoding) throw invalidReference('it is damaged');
  throw outcome ?? end ?? new Error('the renderer ended');
}
