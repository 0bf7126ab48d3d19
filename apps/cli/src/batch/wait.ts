import type { Batch } from '@modelwire/client';
import type { App } from '../app.ts';
import { waitFor } from '../wait-for.ts';
import type { WaitFlags } from '../wait-for.ts';

/** Waits until a batch has ended, and shows how many of its requests are done. */
export async function waitForBatch(app: App, id: string, flags: WaitFlags): Promise<Batch> {
  const { batches } = await app.client();
  return waitFor<Batch>(
    app,
    flags,
    `batches wait ${id}`,
    (options) => batches.wait(id, options),
    ({ status, request_counts: counts }) => {
      const done = counts === undefined ? 0 : counts.completed + counts.failed;
      app.print.progress.update({ done, total: Math.max(1, counts?.total ?? 1), label: `${id} ${status}` });
    },
  );
}
