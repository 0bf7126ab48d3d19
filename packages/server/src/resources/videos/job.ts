import type { Video } from '@modelwire/schema/types';
import { projectStores, blobDeletionDelayMs, discardBlobs } from '../../media/files/storage.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { guardedJob, occupiesNothing } from '../../jobs/guarded-job.ts';
import type { GuardContext, GuardedJob, JobGuard } from '../../jobs/guarded-job.ts';
import { observeJobRun } from '../../http/observe-job-run.ts';
import type { ObservedRun } from '../../http/observe-job-run.ts';
import { AtCapacityError } from '../../jobs/worker.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import type { ServerContext } from '../../context.ts';
import { maxCrashes } from '../../jobs/suspects.ts';
import type { LogRecord } from '../../call.ts';
import { RequestError } from '../../errors.ts';
import { VideoError, VideoRetry } from '@modelwire/ports';
import type { Lease, VideoEngine, VideoRecord, VideoStore, VideoJob } from '@modelwire/ports';
import { createRendering } from './rendering.ts';
import type { Rendering } from './rendering.ts';
import { createSemaphore } from '@modelwire/adapter-kit';
import type { Release, Semaphore } from '@modelwire/adapter-kit';
import { videoJobOf } from './video-job.ts';
import { nowInSeconds } from '../../clock.ts';
import { reportUpstreamTo } from '../../call.ts';
import { clientDisconnected } from '../../limits/client-connection.ts';

/** Attempts of a video that did not end, after which it fails. */
const maxAttempts = 50;
/** Progress that a rendering has to make beyond where it crashed its worker, in percent, to be no longer suspected. */
const clearingProgress = 10;

const crashMessage = () => `The server crashed ${maxCrashes} times while it rendered the video alone.`;

/** Renders videos, starting from their stored status. */
export function videoJobs(context: GuardContext & { readonly server: ServerContext }): JobHandler {
  const { server } = context;
  const { videoEngines, jobTimes } = server.options;
  const acquireSlot = createRenderSlots(jobTimes.pollMs);

  return {
    concurrency: videoEngines.reduce((sum, { concurrency = 1 }) => sum + concurrency, 0),
    async run(lease, signal, setWaiting) {
      const { videos } = projectStores({ principal: { keyId: '', project: lease.project } }, server);
      const record = await videos.get(lease.id);
      if (record) await guardedJob(context, { lease, signal, setWaiting }, renderingJob({ videos, record, lease }));
    },
  };

  function renderingJob(task: Task): GuardedJob<ObservedRun> {
    const { videos, record, lease } = task;
    const { id, project } = lease;
    const { video, work } = record;
    const engine = server.models.video.find(video.model)?.engine;
    // Progress never falls across attempts: recording progress beyond that of the crashed worker resets the count of crashes.
    const progressStep = Math.floor(video.progress / clearingProgress);
    return {
      access: { principal: { keyId: work.keyId ?? 'video', project }, what: 'The video was stopped', onEnd: 'abort' },
      attempts: { max: maxAttempts, subject: 'The video' },
      units: {
        runningAtCrash: () => (video.status === 'in_progress' ? [progressStep] : []),
        isDone: (unit) => unit < progressStep,
        isolation: { first: progressStep, crashMessage },
      },
      acquire() {
        // Does not wait here: another server may have capacity.
        const releaseSlot = engine ? acquireSlot(engine, id) : occupiesNothing();
        if (typeof releaseSlot === 'number') throw new AtCapacityError(releaseSlot);
        return releaseSlot;
      },
      observe: (signal, run) =>
        observeJobRun(server, { path: '/v1/videos', keyId: work.keyId, project, trace: work, video: id, signal }, run),
      onStop: 'abort',
      removal: {
        reason: new VideoError('deleted', 'The video was deleted.'),
        // Then the engine must be notified.
        isCause: async () => (await videos.get(id)) === undefined,
      },
      run: (guard) => render(engine, task, guard),
      fail: ({ code, message }) => end(task, failed(video, code, message)),
    };
  }

  async function render(engine: VideoEngine | undefined, task: Task, guard: JobGuard<ObservedRun>): Promise<void> {
    const { video } = task.record;
    const { logRecord } = guard.observed;
    logRecord.model = video.model;
    if (!engine) {
      const notServed = new VideoError('model_not_found', `The model '${video.model}' is no longer served.`);
      await end(task, logAndFail(video, notServed, guard.observed));
      return;
    }
    const rendering = createRendering(server, { ...task, ...guard });
    let isStored = false;
    try {
      const rendered = await renderedVideo(engine, rendering, task.lease, guard.observed);
      const completed = rendered.status === 'completed';
      await end(task, rendered, completed ? rendering.contents() : {});
      isStored = completed;
      if (completed) logRecord.status = 200;
    } catch (error) {
      if (error instanceof VideoError && !guard.signal.aborted) logFailure(logRecord, error);
      throw error;
    } finally {
      if (!isStored) await discardBlobs(server, rendering.keys());
    }
  }

  /** The video after its rendering has ended. @throws errors that the engine did not cause: the job is retried. */
  async function renderedVideo(
    engine: VideoEngine,
    rendering: Rendering,
    { attempt }: Lease,
    run: ObservedRun,
  ): Promise<Video> {
    const { video } = rendering.record;
    const { signal } = rendering.context;
    let hasCalledEngine = false;
    try {
      await rendering.markStarted();
      const job = await videoJobOf(rendering, server);
      hasCalledEngine = true;
      await callEngine(engine, job, rendering, run);
    } catch (error) {
      signal.throwIfAborted();
      if (rendering.failure() !== undefined) throw rendering.failure();
      // The engine was not called: its data could not be read or written, and may be available later.
      if (!hasCalledEngine && !(error instanceof VideoError)) throw error;
      if (error instanceof VideoRetry && attempt < maxAttempts) throw error;
      if (error instanceof VideoError) return logAndFail(video, error, run);
      server.options.report('a video could not be rendered', error);
      return logAndFail(video, new VideoError('rendering_failed', 'The video could not be rendered.'), run);
    } finally {
      await rendering.finish();
    }
    signal.throwIfAborted();
    if (!rendering.contents().video)
      return logAndFail(video, new VideoError('rendering_failed', 'The model returned no video.'), run);
    const completed_at = nowInSeconds(server.clock);
    const expires_at = completed_at + server.options.videoExpiresSeconds;
    return { ...video, status: 'completed', progress: 100, completed_at, expires_at, error: null };
  }
}

interface Task {
  readonly videos: VideoStore;
  readonly record: VideoRecord;
  readonly lease: Lease;
}

async function end({ videos, lease }: Task, video: Video, contents: VideoRecord['contents'] = {}): Promise<void> {
  if (!(await videos.end(video, { lease, contents, dueAfterMs: blobDeletionDelayMs }))) throw new JobAborted('lost');
}

/** Logs a failure that is not retried, and returns the failed video. */
function logAndFail(video: Video, error: VideoError, { logRecord }: ObservedRun): Video {
  logFailure(logRecord, error);
  return failed(video, error.code, error.message);
}

function logFailure(logRecord: LogRecord, error: VideoError): void {
  logRecord.status = error.cause instanceof RequestError ? error.cause.status : 500;
  logRecord.error = error.code;
}

function failed(video: Video, code: string, message: string): Video {
  return { ...video, status: 'failed', error: { code, message } };
}

/** Calls the engine as an observed generation. */
async function callEngine(
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

/** Staggers the retries of refused jobs, so that they do not arrive together. */
const staggerMs = 50;

/**
 * Limits how many videos each engine renders at once. Returns a function that acquires a slot for a video: it returns the function that
 * releases the slot, or the number of milliseconds after which to try again.
 */
function createRenderSlots(pollMs: number): (engine: VideoEngine, id: string) => Release | number {
  const slotsByEngine = new Map<VideoEngine, { readonly semaphore: Semaphore; readonly refused: Set<string> }>();
  return (engine, id) => {
    const slots = slotsByEngine.get(engine) ?? {
      semaphore: createSemaphore(engine.concurrency ?? 1),
      refused: new Set(),
    };
    slotsByEngine.set(engine, slots);
    const release = slots.semaphore.tryAcquire();
    if (!release) {
      slots.refused.add(id);
      return Math.max(pollMs, slots.refused.size * staggerMs);
    }
    // Jobs that wait for the next slot are counted again.
    slots.refused.clear();
    return release;
  };
}
