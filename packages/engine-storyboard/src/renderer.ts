// A process of its own: what draws and encodes for seconds must not hold up the server, and a decoder that dies must not take it along.
import os from 'node:os';
import { VideoError } from '@modelwire/ports';
import type { Report, Work } from './protocol.ts';
import { renderStoryboard } from './rendering.ts';

// Supervisors end every process of a service at once; the server says when this one is to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// Whoever asked is gone.
process.once('disconnect', () => process.exit(1));
try {
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Not allowed here: then at the priority of the others.
}

const report = (message: Report) => void process.send?.(message);

process.once('message', (work: Work) => {
  renderStoryboard(work, report)
    .then(
      (): Report => ({ type: 'done' }),
      (error: unknown): Report => ({
        type: 'failed',
        code: error instanceof VideoError ? error.code : undefined,
        message: error instanceof Error ? error.message : String(error),
      }),
    )
    // The last message is out when the callback comes; the process goes with it.
    .then((message) => process.send?.(message, () => process.disconnect()))
    .catch(() => process.exit(1));
});
