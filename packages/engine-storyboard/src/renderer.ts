// A separate process: rendering for seconds must not block the server, and a crash of a decoder must not crash it.
import os from 'node:os';
import { VideoError } from '@modelwire/ports';
import type { Report, RenderJob } from './protocol.ts';
import { renderStoryboard } from './rendering.ts';

// Supervisors signal all processes of a service at once; the server decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// The parent process has exited.
process.once('disconnect', () => process.exit(1));
try {
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Not permitted: keeps the normal priority.
}

const report = (message: Report) => void process.send?.(message);

process.once('message', (work: RenderJob) => {
  renderStoryboard(work, report)
    .then(
      (): Report => ({ type: 'done' }),
      (error: unknown): Report => ({
        type: 'failed',
        code: error instanceof VideoError ? error.code : undefined,
        message: error instanceof Error ? error.message : String(error),
      }),
    )
    // The callback means that the last message was sent; then the process exits.
    .then((message) => process.send?.(message, () => process.disconnect()))
    .catch(() => process.exit(1));
});
