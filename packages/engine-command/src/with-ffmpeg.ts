import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VideoError } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob, VideoModel } from '@modelwire/ports';
import { withMemoryLimit } from './memory-limit.ts';
import { privateFolder } from './private-folder.ts';
import type { PrivateFolder } from './private-folder.ts';
import { run } from './run.ts';

export interface FfmpegOptions {
  /** The program: a path, or a name to look up in `PATH`. Default `ffmpeg`. */
  readonly command?: string;
  /** Milliseconds that each of its runs may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** Bytes of data that each of its runs may have, where `prlimit` is installed (Linux). Default 4 GiB. */
  readonly memoryBytes?: number;
  /** Where private folders are created. Default: the folder of the system for temporary files. */
  readonly tempFolder?: string;
  /** Called with each failed run, for the log of the operator. `stderr` has its last 16 KiB. */
  readonly report?: (failure: { readonly videoId: string; readonly what: string; readonly stderr: string }) => void;
}

/** Of a frame, 4K. The header of a file may declare a smaller size than its frames have. */
const maxPixels = 4096 * 2304;

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
 * A video engine with what it leaves out: the thumbnail and the spritesheet of each video are made with ffmpeg. A model that starts from an
 * image but not from a video starts a remix from the last frame of the source, and an extension as well, which is then joined to the source.
 *
 * A video without these images is complete: failures go to `report` alone. A remix or an extension whose source ffmpeg cannot read fails with
 * `source_unreadable`, and an extension whose parts it cannot join with `join_failed`.
 */
export function withFfmpeg(engine: VideoEngine, options: FfmpegOptions = {}): VideoEngine {
  const { command = 'ffmpeg', timeoutMs = 60_000, memoryBytes = 4 * 1024 ** 3, tempFolder } = options;
  const { report = () => undefined } = options;
  const ffmpeg = { command, args: ['-v', 'error', '-nostdin', '-y'] };
  const program = withMemoryLimit(ffmpeg, memoryBytes) ?? ffmpeg;

  const withSources = (model: VideoModel): VideoModel => ({
    ...model,
    remix: model.remix || model.inputReference,
    extend: model.extend || model.inputReference,
    // Of joined videos, only the parts are those of the model.
    maxSeconds: model.extend ? model.maxSeconds : undefined,
    videoInput: model.videoInput || model.inputReference,
  });
  /** Whether the model does with the source of the job what the job says. */
  function takesSource({ model: id, extensionSeconds, uploadedSource }: VideoJob): boolean {
    const model = engine.models().find((listed) => listed.id === id) ?? engine.resolveModel?.(id);
    if (uploadedSource && model?.videoInput !== true) return false;
    return (extensionSeconds === undefined ? model?.remix : model?.extend) === true;
  }

  async function render(job: VideoJob, context: VideoContext): Promise<void> {
    const folder = await privateFolder(tempFolder);
    try {
      const source = job.uploadedSource?.read() ?? job.source?.read('video');
      const saved = await (source && !takesSource(job)
        ? renderFromLastFrame(job, source, folder, context)
        : renderKeepingVideo(job, folder, context));
      if (!saved.has('video/mp4')) return;
      const video = videoIn(folder);
      for (const { variant, mediaType, file, argsFor } of images) {
        if (saved.has(variant)) continue;
        const image = await make(file, [...inputs(video), ...argsFor(job)], { job, folder, signal: context.signal });
        if (image !== undefined) await context.save(variant, mediaType, createReadStream(image));
      }
    } finally {
      await folder.remove();
    }
  }

  /** Renders, and keeps a copy of the video if it is an MP4 file. Returns the variants that were saved, the video by its media type. */
  async function renderKeepingVideo(job: VideoJob, folder: PrivateFolder, context: VideoContext): Promise<Saved> {
    const saved = new Set<string>();
    await engine.render(job, {
      ...context,
      async save(variant, mediaType, bytes) {
        const isVideo = variant === 'video' && mediaType === 'video/mp4';
        await context.save(variant, mediaType, isVideo ? copyTo(videoIn(folder), bytes) : bytes);
        saved.add(isVideo ? mediaType : variant);
      },
    });
    return saved;
  }

  /** Renders a video that starts from the last frame of the source, and joins it to the source if the job is an extension. */
  async function renderFromLastFrame(
    job: VideoJob,
    source: AsyncIterable<Uint8Array>,
    folder: PrivateFolder,
    context: VideoContext,
  ): Promise<Saved> {
    const { signal } = context;
    const sourceVideo = join(folder.input, 'source.mp4');
    await pipeline(source, createWriteStream(sourceVideo), { signal });
    // Each frame of the last second replaces the one before it.
    const args = ['-sseof', '-1', ...inputs(sourceVideo), '-update', '1'];
    const frame = await make('last-frame.png', args, { job, folder, signal });
    if (frame === undefined) throw new VideoError('source_unreadable', 'The source video could not be read.');
    const inputReference = { mediaType: 'image/png', bytes: await readFile(frame) };
    const { extensionSeconds } = job;
    const fromFrame = { ...job, inputReference, source: undefined, uploadedSource: undefined };
    if (extensionSeconds === undefined) return renderKeepingVideo(fromFrame, folder, context);
    const part = join(folder.input, 'extension.mp4');
    const partJob = { ...fromFrame, seconds: extensionSeconds, extensionSeconds: undefined };
    await engine.render(partJob, {
      ...context,
      // Images of a part are not those of the video.
      async save(variant, _, bytes) {
        if (variant === 'video') await pipeline(bytes, createWriteStream(part), { signal });
      },
    });
    const joined = await joinParts(sourceVideo, part, { job, folder, signal });
    if (joined === undefined)
      throw new VideoError('join_failed', 'The new part could not be joined to the source video.');
    await context.save('video', 'video/mp4', createReadStream(joined));
    return new Set(['video/mp4']);
  }

  /** The source and its extension as one video, with their sound if both have some; undefined if ffmpeg failed. */
  async function joinParts(first: string, second: string, init: FfmpegInit): Promise<string | undefined> {
    const file = 'video.mp4';
    const withSound = await runFfmpeg(file, joining(init.job, first, second, true), init);
    if (!soundIsMissing(withSound)) return reportFailure(file, withSound, init);
    return make(file, joining(init.job, first, second, false), init);
  }

  /** The path of a file that ffmpeg has made; undefined if it failed. */
  async function make(file: string, args: readonly string[], init: FfmpegInit): Promise<string | undefined> {
    return reportFailure(file, await runFfmpeg(file, args, init), init);
  }

  function reportFailure(what: string, { path, stderr }: FfmpegResult, { job }: FfmpegInit): string | undefined {
    if (path === undefined) report({ videoId: job.id, what, stderr });
    return path;
  }

  async function runFfmpeg(
    file: string,
    args: readonly string[],
    { folder, signal }: FfmpegInit,
  ): Promise<FfmpegResult> {
    const path = join(folder.output, file);
    const { exitCode, error, stderr } = await run({
      command: program.command,
      args: [...program.args, ...args, path],
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder.temporary },
      folder: folder.path,
      input: '',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      onLine: () => undefined,
    });
    signal.throwIfAborted();
    const made = await stat(path).catch(() => undefined);
    const isMade = exitCode === 0 && made !== undefined && made.size > 0;
    return { path: isMade ? path : undefined, stderr: error?.message ?? stderr };
  }

  return {
    ...engine,
    models: () => engine.models().map(withSources),
    ...(engine.resolveModel && {
      resolveModel(id) {
        const model = engine.resolveModel?.(id);
        return model && withSources(model);
      },
    }),
    render,
  };
}

interface FfmpegInit {
  readonly job: VideoJob;
  readonly folder: PrivateFolder;
  readonly signal: AbortSignal;
}

interface FfmpegResult {
  /** Undefined if it failed. */
  readonly path: string | undefined;
  readonly stderr: string;
}

/** Whether it failed because the filter found no stream of sound in an input. */
const soundIsMissing = ({ path, stderr }: FfmpegResult): boolean =>
  path === undefined && /Stream specifier ':?a' in filtergraph description .* matches no streams/.test(stderr);

type Saved = ReadonlySet<string>;

const videoIn = (folder: PrivateFolder): string => join(folder.output, 'video.mp4');

/** The only format and protocol: a file that is not a video, such as a playlist, opens nothing else. */
const inputs = (...paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => ['-max_pixels', String(maxPixels), '-protocol_whitelist', 'file', '-f', 'mp4', '-i', path]);

/** One video after the other, in the size of the job. With sound, both must have it. */
function joining({ width, height }: VideoJob, first: string, second: string, hasSound: boolean): readonly string[] {
  const fit = `scale=${width}:${height},setsar=1`;
  const streams = hasSound ? '[a][0:a][b][1:a]' : '[a][b]';
  const filter = `[0:v]${fit}[a];[1:v]${fit}[b];${streams}concat=n=2:v=1:a=${hasSound ? 1 : 0}`;
  // Parts may have different frame rates: at a constant one, ffmpeg would repeat frames without end.
  // By default, the encoder has threads, and frames in memory, for each core of the host.
  const output = ['-fps_mode', 'vfr', '-pix_fmt', 'yuv420p', '-threads', '8', '-movflags', '+faststart'];
  return [...inputs(first, second), '-filter_complex', filter, ...output];
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
