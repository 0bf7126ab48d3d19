import type { VideoEngine, VideoJob } from '@modelwire/ports';
import { reportUpstreamTo } from '../../call.ts';
import type { ObservedRun } from '../../http/observe-job-run.ts';
import { clientDisconnected } from '../../limits/client-connection.ts';
import type { Rendering } from './rendering.ts';

/** Calls the engine as an observed generation. */
export async function callEngine(
  engine: VideoEngine,
  job: VideoJob,
  { project, context }: Rendering,
  { observation, logRecord }: ObservedRun,
): Promise<void> {
  const generation = observation?.startGeneration({
    operation: 'generate_content',
    engine: engine.name,
    isRemote: engine.isRemote === true,
    model: job.model,
    project,
    isStreamed: false,
    queuedMs: 0,
  });
  let error: unknown;
  try {
    await engine.render(job, { ...context, observer: generation, reportUpstream: reportUpstreamTo(logRecord) });
  } catch (thrown) {
    // Deletion, a lost lease and a shutdown are not failures.
    error = context.signal.aborted ? clientDisconnected() : thrown;
    throw thrown;
  } finally {
    generation?.end({ usage: undefined, firstTokenAt: undefined, finishReasons: [], error });
  }
}
