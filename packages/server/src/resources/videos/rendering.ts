import type { VideoVariant } from '@modelwire/schema/types';
import { discardBlobs, writeBlob } from '../../media/files/storage.ts';
import { unrefTimeout } from '../../timers.ts';
import type { ServerContext } from '../../context.ts';
import type { Lease, VideoContext, VideoContent, VideoRecord, VideoStore } from '@modelwire/ports';

/** Milliseconds between writes of progress. */
const writeIntervalMs = 500;

/** The state of one rendering: the context of the engine, and its results. */
export interface Rendering {
  readonly record: VideoRecord;
  readonly project: string;
  readonly context: VideoContext;
  /** Sets the status `in_progress`. */
  markStarted(): Promise<void>;
  /** Stops writing. */
  finish(): Promise<void>;
  contents(): VideoRecord['contents'];
  /** The keys of all written bytes. */
  keys(): readonly string[];
  /** Records a failure to read or write, which the engine did not cause. */
  recordFailure(error: unknown): void;
  /** The first such failure. */
  failure(): unknown;
}

export function createRendering(
  server: ServerContext,
  init: {
    readonly videos: VideoStore;
    readonly record: VideoRecord;
    readonly lease: Lease;
    readonly signal: AbortSignal;
    /** Another server has the job, or the video was deleted. */
    readonly lost: () => void;
  },
): Rendering {
  const { videos, record, lease, signal, lost } = init;
  const contents: Partial<Record<VideoVariant, VideoContent>> = {};
  const keys: string[] = [];
  let failure: unknown;
  let progress = record.video.progress;
  let writtenProgress = progress;
  let lastWrite: Promise<void> = Promise.resolve();
  let clearTimer: (() => void) | undefined;
  let ended = false;

  function write(checkpoint?: string): Promise<void> {
    writtenProgress = progress;
    const video = { ...record.video, status: 'in_progress' as const, progress };
    const update = async (): Promise<void> => {
      if (ended || signal.aborted) return;
      if (!(await videos.update(video, { lease, ...(checkpoint !== undefined && { checkpoint }) }))) lost();
    };
    // One write at a time, so that the last one is the one that is read.
    const done = lastWrite.then(update);
    lastWrite = done.catch(() => undefined);
    return done;
  }
  function scheduleWrite(): void {
    clearTimer ??= unrefTimeout(writeIntervalMs, () => {
      clearTimer = undefined;
      if (progress > writtenProgress)
        write().catch((error: unknown) => server.options.report('progress was not written', error));
    });
  }
  const recordFailure = (error: unknown): void => void (failure ??= error);
  async function recordingFailure<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      recordFailure(error);
      throw error;
    }
  }

  return {
    record,
    project: lease.project,
    context: {
      signal,
      checkpoint: record.checkpoint,
      progress(percent) {
        // Progress never falls, and is 100 only when the video is complete.
        const integerPercent = Math.min(99, Math.floor(percent));
        if (!(integerPercent > progress)) return;
        progress = integerPercent;
        scheduleWrite();
      },
      saveCheckpoint: (checkpoint) => recordingFailure(write(checkpoint)),
      async save(variant, mediaType, bytes) {
        const segment = await writeTracked(server, bytes, signal, recordFailure);
        keys.push(segment.key);
        const before = contents[variant];
        contents[variant] = { mediaType, content: [segment] };
        if (before) {
          await discardBlobs(
            server,
            before.content.map(({ key }) => key),
          );
        }
      },
    },
    markStarted: () => write(),
    async finish() {
      ended = true;
      clearTimer?.();
      await lastWrite;
    },
    contents: () => contents,
    keys: () => keys,
    recordFailure,
    failure: () => failure,
  };
}

/** Writes the bytes of an engine. Errors of the engine's iteration are thrown; all others are recorded as failures. */
async function writeTracked(
  server: ServerContext,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onStorageError: (error: unknown) => void,
) {
  const source = { failed: false };
  async function* trackErrors() {
    try {
      yield* bytes;
    } catch (error) {
      source.failed = true;
      throw error;
    }
  }
  try {
    return await writeBlob(server, trackErrors(), signal);
  } catch (error) {
    if (!source.failed && !signal.aborted) onStorageError(error);
    throw error;
  }
}
