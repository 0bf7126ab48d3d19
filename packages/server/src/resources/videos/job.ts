import type { Video } from '@modelwire/schema/types';
import { projectStores, blobDeletionDelayMs, discardBlobs } from '../../media/files/storage.ts';
import { unrefTimeout } from '../../timers.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { observeJobRun } from '../../http/observe-job-run.ts';
import type { ObservedRun } from '../../http/observe-job-run.ts';
import { AtCapacityError } from '../../jobs/worker.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import type { ServerContext } from '../../context.ts';
import { runUnit } from '../../jobs/quarantine.ts';
import { maxCrashes, loadSuspects } from '../../jobs/recovery.ts';
import { logError } from '../../call.ts';
import type { LogRecord } from '../../call.ts';
import { RequestError, toRequestError } from '../../errors.ts';
import { accessEndOf, watchAccess } from '../../limits/access-end.ts';
import type { AccessEnd } from '../../limits/access-end.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { VideoError, VideoRetry } from '@modelwire/ports';
import type { JobStore, Lease, Principal, VideoEngine, VideoRecord, VideoStore } from '@modelwire/ports';
import { createRendering } from './rendering.ts';
import type { Rendering } from './rendering.ts';
import { callEngine } from './call-engine.ts';
import { createEngineSlots } from './engine-slots.ts';
import { videoJobOf } from './video-job.ts';
import { nowInSeconds } from '../../clock.ts';

/** Attempts of a video that did not end, after which it fails. */
const maxAttempts = 50;
/** Timeout for finding out why a job was lost, shorter than the grace period of an aborted job. */
const lostReasonTimeoutMs = 1000;

interface VideoJobsInit {
  readonly jobs: JobStore;
  /** One permit, for work that may have crashed a worker. */
  readonly quarantine: FairSemaphore;
}

/** What happens to a video whose key was revoked or whose project was archived. */
const accessEndPrefix = 'The video was stopped';
/** Progress that a rendering has to make beyond where it crashed its worker, in percent, to be no longer suspected. */
const clearingProgress = 10;

/** Renders videos, starting from their stored status. */
export function videoJobs(server: ServerContext, { jobs, quarantine }: VideoJobsInit): JobHandler {
  const { videoEngines, videoExpiresSeconds, jobTimes } = server.options;
  const engineSlots = createEngineSlots(jobTimes.pollMs);

  return {
    concurrency: videoEngines.reduce((sum, { concurrency = 1 }) => sum + concurrency, 0),
    async run(lease, signal, setWaiting) {
      const { videos } = projectStores({ principal: { keyId: '', project: lease.project } }, server);
      const record = await videos.get(lease.id);
      if (!record) return;
      const { video } = record;
      const resolved = server.videoModels.find(video.model);
      const accessEnd = await accessEndOf(server, principalOf(record, lease), accessEndPrefix);
      if (accessEnd) {
        await end(videos, lease, failed(video, accessEnd.code, accessEnd.message));
      } else if (!resolved) {
        await end(videos, lease, failed(video, 'model_not_found', `The model '${video.model}' is no longer served.`));
      } else if (lease.attempt > maxAttempts) {
        await end(
          videos,
          lease,
          failed(video, 'too_many_attempts', 'The video was started too many times without completing.'),
        );
      } else {
        // Progress never falls across attempts: recording progress beyond that of the crashed worker resets the count of crashes.
        const progressStep = Math.floor(video.progress / clearingProgress);
        const suspects = await loadSuspects({
          jobs,
          lease,
          runningAtCrash: () => (video.status === 'in_progress' ? [progressStep] : []),
          isDone: (before) => before < progressStep,
          report: server.options.report,
        });
        if ((suspects.crashesOf(progressStep) ?? 0) >= maxCrashes) {
          const message = `The server crashed ${maxCrashes} times while it rendered the video alone.`;
          await end(videos, lease, failed(video, 'worker_crashed', message));
          return;
        }
        const { project } = lease;
        const { engine } = resolved;
        await runUnit(
          { quarantine, suspects, times: jobTimes, project, signal, setWaiting },
          { unit: progressStep },
          () => render(engine, { videos, record, lease, signal }),
        );
      }
    },
  };

  async function render(engine: VideoEngine, task: Task): Promise<void> {
    const { record, lease } = task;
    // Does not wait here: another server may have capacity.
    const releaseSlot = engineSlots.acquire(engine, lease.id);
    if (typeof releaseSlot === 'number') throw new AtCapacityError(releaseSlot);
    const { id: video, project } = lease;
    const jobRun = { path: '/v1/videos', keyId: record.work.keyId, project, trace: record.work, video };
    try {
      await observeJobRun(server, jobRun, (run) => renderObserved(engine, task, run));
    } finally {
      releaseSlot();
    }
  }

  async function renderObserved(engine: VideoEngine, task: Task, run: ObservedRun): Promise<void> {
    const { videos, record, lease, signal: leaseSignal } = task;
    const { logRecord } = run;
    logRecord.model = record.video.model;
    const stop = new AbortController();
    const { signal } = stop;
    const onDeleted = (): void => stop.abort(new VideoError('deleted', 'The video was deleted.'));
    const onLost = (): void => {
      // Another server has the job, or the video was deleted through another server: then the engine must be notified.
      const clearTimer = unrefTimeout(lostReasonTimeoutMs, () => stop.abort(new JobAborted('lost')));
      videos
        .get(lease.id)
        .then((found) => (found ? stop.abort(new JobAborted('lost')) : onDeleted()))
        .catch(() => stop.abort(new JobAborted('lost')))
        .finally(clearTimer);
    };
    const onAbort = (): void => {
      const reason: unknown = leaseSignal.reason;
      if (reason instanceof JobAborted && reason.kind === 'lost') onLost();
      else stop.abort(reason);
    };
    leaseSignal.addEventListener('abort', onAbort, { once: true });
    if (leaseSignal.aborted) onAbort();
    const deregister = server.renderings.register(lease.id, onDeleted);
    let accessEnd: VideoError | undefined;
    const stopWatching = watchAccess(server, principalOf(record, lease), {
      what: accessEndPrefix,
      onEnd: (reason) => stop.abort((accessEnd = accessEnded(reason))),
    });
    try {
      const rendering = createRendering(server, { videos, record, lease, signal, lost: onLost });
      let isStored = false;
      try {
        const video = await renderedVideo(engine, rendering, lease, run);
        const completed = video.status === 'completed';
        await end(videos, lease, video, completed ? rendering.contents() : {});
        isStored = completed;
        if (completed) logRecord.status = 200;
      } finally {
        if (!isStored) await discardBlobs(server, rendering.keys());
      }
    } catch (error) {
      if (accessEnd && signal.reason === accessEnd) {
        await end(videos, lease, logAndFail(record.video, accessEnd, run));
        return;
      }
      if (signal.aborted || error instanceof JobAborted) logRecord.aborted = true;
      else logFailure(logRecord, error);
      // The video was deleted together with its job.
      if (!(signal.aborted && signal.reason instanceof VideoError)) throw error;
    } finally {
      stopWatching();
      leaseSignal.removeEventListener('abort', onAbort);
      deregister();
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
    const completed_at = now();
    const expires_at = completed_at + videoExpiresSeconds;
    return { ...video, status: 'completed', progress: 100, completed_at, expires_at, error: null };
  }
}

interface Task {
  readonly videos: VideoStore;
  readonly record: VideoRecord;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

async function end(
  videos: VideoStore,
  lease: Lease,
  video: Video,
  contents: VideoRecord['contents'] = {},
): Promise<boolean> {
  if (await videos.end(video, { lease, contents, dueAfterMs: blobDeletionDelayMs })) return true;
  throw new JobAborted('lost');
}

/** Logs a failure that is not retried, and returns the failed video. */
function logAndFail(video: Video, error: VideoError, { logRecord }: ObservedRun): Video {
  logFailure(logRecord, error);
  return failed(video, error.code, error.message);
}

function logFailure(logRecord: LogRecord, error: unknown): void {
  if (error instanceof VideoError) {
    logRecord.status = error.cause instanceof RequestError ? error.cause.status : 500;
    logRecord.error = error.code;
    return;
  }
  const requestError = toRequestError(error);
  logRecord.status = requestError.status;
  logError(logRecord, requestError);
}

/** A request with the key would be refused, so the video fails and is not retried. */
function accessEnded({ code, message }: AccessEnd): VideoError {
  return new VideoError(code, message, { cause: new RequestError(message, { status: 403, code }) });
}

function principalOf({ work }: VideoRecord, { project }: Lease): Principal {
  return { keyId: work.keyId ?? 'video', project };
}

function failed(video: Video, code: string, message: string): Video {
  return { ...video, status: 'failed', error: { code, message } };
}

const now = nowInSeconds;
