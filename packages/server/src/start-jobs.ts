import { batchJobs } from './resources/batches/job.ts';
import { responseJobs } from './resources/responses/job.ts';
import type { ServerContext } from './context.ts';
import { createSemaphore } from '@modelwire/adapter-kit';
import { videoJobs } from './resources/videos/job.ts';
import { startWorker } from './jobs/worker.ts';
import type { Worker } from './jobs/worker.ts';
import { webhookJobs } from './webhooks/job.ts';

/** The worker of a server; undefined without stores, or if other servers run its jobs. */
export function startJobs(server: ServerContext): Worker | undefined {
  const { stores, blobs, worker, jobTimes: times, videoEngines, webhooks, report } = server.options;
  if (!stores || worker === false) return undefined;
  const context = { server, stores, quarantine: createSemaphore(1) };
  const handlers = {
    ...(blobs && { batch: batchJobs(context, blobs) }),
    response: responseJobs(context),
    ...(webhooks && { webhook: webhookJobs(context, webhooks) }),
    ...(blobs && videoEngines.length > 0 && { video: videoJobs(context) }),
  };
  const isReady = worker === true ? undefined : worker;
  return startWorker({ jobs: stores.jobs, handlers, times, report, ...(isReady && { isReady }) });
}
