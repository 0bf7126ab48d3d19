import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VideoError } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob, VideoModel } from '@modelwire/ports';
import { privateFolder } from './private-folder.ts';
import type { PrivateFolder } from './private-folder.ts';
import { run } from './run.ts';

export interface FfmpegOptions {
  /** The program: a path, or a name to look up in `PATH`. Default `ffmpeg`. */
  readonly command?: string;
  /** Milliseconds that each of its runs may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** Where private folders are created. Default: the folder of the system for temporary files. */
  readonly tempFolder?: string;
  /** Called with each failed run, for the log of the operator. `stderr` has its last 16 KiB. */
  readonly report?: (failure: { readonly videoId: string; readonly what: string; readonly stderr: string }) => void;
}

/** Images of a video, with what makes them of its file. Tiles of a spritesheet are frames by rows, from the middle of each tenth. */
const images = [
  {
    variant: 'thumbnail',
    mediaType: 'image/webp',
    file: 'thumbnail.webp',
    argsFor: ({ seconds }: VideoJob) => ['-ss', String(seconds / 4), '-frames:v', '1', '-quality', '84'],
  },
  {
    variant: 'spritesheet',
    mediaType: 'image/jpeg',
    file: 'spritesheet.jpg',
    argsFor({ seconds, width, height }: VideoJob) {
      const scale = width > height ? "scale='min(320,iw)':-2" : "scale=-2:'min(320,ih)'";
      const filter = `fps=10/${seconds}:start_time=0:round=near,${scale},tile=5x2`;
      return ['-vf', filter, '-frames:v', '1', '-q:v', '4'];
    },
  },
] as const;

/**
 * A video engine with what it leaves out: the thumbnail and the spritesheet of each video are made with ffmpeg, and a model that starts from
 * an image but not from a video starts a remix from the last frame of the source.
 *
 * A video without these images is complete: failures go to `report` alone. A remix whose source ffmpeg cannot read fails with
 * `source_unreadable`.
 */
export function withFfmpeg(engine: VideoEngine, options: FfmpegOptions = {}): VideoEngine {
  const { command = 'ffmpeg', timeoutMs = 60_000, tempFolder, report = () => undefined } = options;

  const withRemix = (model: VideoModel): VideoModel => ({ ...model, remix: model.remix || model.inputReference });
  const canRemix = ({ model }: VideoJob): boolean =>
    (engine.models().find(({ id }) => id === model) ?? engine.resolveModel?.(model))?.remix === true;

  async function render(job: VideoJob, context: VideoContext): Promise<void> {
    const folder = await privateFolder(tempFolder);
    try {
      const video = join(folder.output, 'video.mp4');
      const saved = new Set<string>();
      await engine.render(canRemix(job) ? job : await startFromLastFrame(job, folder, context), {
        ...context,
        async save(variant, mediaType, bytes) {
          const isVideo = variant === 'video' && mediaType === 'video/mp4';
          await context.save(variant, mediaType, isVideo ? copyTo(video, bytes) : bytes);
          saved.add(isVideo ? mediaType : variant);
        },
      });
      if (!saved.has('video/mp4')) return;
      for (const { variant, mediaType, file, argsFor } of images) {
        if (saved.has(variant)) continue;
        const image = await make(file, ['-i', video, ...argsFor(job)], { job, folder, signal: context.signal });
        if (image !== undefined) await context.save(variant, mediaType, createReadStream(image));
      }
    } finally {
      await folder.remove();
    }
  }

  async function startFromLastFrame(job: VideoJob, folder: PrivateFolder, { signal }: VideoContext): Promise<VideoJob> {
    const { source } = job;
    if (!source) return job;
    const video = join(folder.input, 'source.mp4');
    await pipeline(source.read('video'), createWriteStream(video), { signal });
    // Each frame of the last second replaces the one before it.
    const args = ['-sseof', '-1', '-i', video, '-update', '1'];
    const frame = await make('last-frame.png', args, { job, folder, signal });
    if (frame === undefined) throw new VideoError('source_unreadable', 'The video to remix could not be read.');
    const inputReference = { mediaType: 'image/png', bytes: await readFile(frame) };
    return { ...job, inputReference, source: undefined };
  }

  /** The path of a file that ffmpeg has made; undefined if it failed. */
  async function make(
    file: string,
    args: readonly string[],
    { job, folder, signal }: Making,
  ): Promise<string | undefined> {
    const path = join(folder.output, file);
    const { exitCode, error, stderr } = await run({
      command,
      // The only format and protocol: a file that is not a video, such as a playlist, opens nothing else.
      args: ['-v', 'error', '-nostdin', '-y', '-protocol_whitelist', 'file', '-f', 'mp4', ...args, path],
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder.temporary },
      folder: folder.path,
      input: '',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      onLine: () => undefined,
    });
    signal.throwIfAborted();
    const made = await stat(path).catch(() => undefined);
    if (exitCode === 0 && made !== undefined && made.size > 0) return path;
    report({ videoId: job.id, what: file, stderr: error?.message ?? stderr });
    return undefined;
  }

  return {
    ...engine,
    models: () => engine.models().map(withRemix),
    ...(engine.resolveModel && {
      resolveModel(id) {
        const model = engine.resolveModel?.(id);
        return model && withRemix(model);
      },
    }),
    render,
  };
}

interface Making {
  readonly job: VideoJob;
  readonly folder: PrivateFolder;
  readonly signal: AbortSignal;
}

/** The same bytes, written to a file on the way. */
async function* copyTo(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'w');
  try {
    for await (const piece of bytes) {
      await file.write(piece);
      yield piece;
    }
  } finally {
    await file.close();
  }
}
