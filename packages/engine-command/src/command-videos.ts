import { createRunningOperations } from '@modelwire/adapter-kit';
import { VideoError } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob } from '@modelwire/ports';
import { withMemoryLimit } from './memory-limit.ts';
import type { Program } from './memory-limit.ts';
import { settingsOf } from './options.ts';
import type { CommandVideosOptions, Settings } from './options.ts';
import { folderSize, closeOutputs, openOutputs } from './outputs.ts';
import type { Output } from './outputs.ts';
import { privateFolder, writeJob } from './private-folder.ts';
import type { PrivateFolder } from './private-folder.ts';
import { run } from './run.ts';
import type { RunResult } from './run.ts';
import { parseOutputLine } from './output-lines.ts';
import type { ProgressReport } from './output-lines.ts';

/** Milliseconds between two looks at how much it has written. */
const lookMs = 500;

/**
 * A video engine that runs a program of yours for each video: the job is one line of JSON on its stdin, progress are lines on its stdout,
 * and the video is a file in a folder that is made for it and goes away with it. No shell is involved, and nothing that a caller wrote is
 * ever an argument. For Linux and macOS (API: Videos).
 *
 * A video fails with `command_failed` (did not run, or a status that is not 0), `command_timeout`, `command_output_too_large` or
 * `command_output_invalid`; what the program wrote to stderr goes to `report` alone.
 *
 * @throws a `TypeError` that names the option.
 */
export function createCommandVideos(options: CommandVideosOptions): VideoEngine {
  const settings = settingsOf(options);
  if (process.platform === 'win32') throw new TypeError('createCommandVideos: process groups need Linux or macOS.');
  const { name, concurrency, maxOutputBytes, timeoutMs } = settings;
  const program = programOf(settings);
  const created = Math.floor(Date.now() / 1000);
  const models = Object.freeze(
    Object.entries(settings.models).map(([id, model]) => ({ id, created, owned_by: name, videoInput: true, ...model })),
  );
  const closing = new AbortController();
  const rendering = createRunningOperations();

  async function render(job: VideoJob, context: VideoContext): Promise<void> {
    const signal = AbortSignal.any([context.signal, closing.signal]);
    signal.throwIfAborted();
    const folder = await privateFolder(settings.tempFolder);
    try {
      const input = await writeJob(job, folder, { maxBytes: maxOutputBytes, signal });
      const outputs = await made(job, { folder, input, signal, progress: (percent) => context.progress(percent) });
      await keep(outputs, context, signal);
    } finally {
      await folder.remove();
    }
  }

  /** Runs the program, and opens its output files. */
  async function made(job: VideoJob, { folder, input, signal, progress }: Making): Promise<readonly Output[]> {
    let named: ProgressReport['outputs'];
    const stop = new AbortController();
    const fail = (code: string, why: string): void => stop.abort(new VideoError(code, why));
    const late = setTimeout(() => fail('command_timeout', 'The video command took too long.'), timeoutMs);
    const looking = setInterval(() => {
      void folderSize(folder.output).then((bytes) => {
        if (bytes > maxOutputBytes) fail(...tooLarge);
      });
    }, lookMs);
    let ended: RunResult;
    try {
      ended = await run({
        ...program,
        env: environment(folder),
        folder: folder.path,
        input,
        signal: AbortSignal.any([signal, stop.signal]),
        onLine(line) {
          const said = parseOutputLine(line, job.seconds);
          if (said.progress !== undefined) progress(said.progress);
          named = said.outputs ?? named;
        },
      });
    } finally {
      clearTimeout(late);
      clearInterval(looking);
    }
    signal.throwIfAborted();
    try {
      stop.signal.throwIfAborted();
      if (ended.error || ended.exitCode !== 0) {
        throw new VideoError('command_failed', 'The video command failed.', { cause: ended.error });
      }
      if ((await folderSize(folder.output)) > maxOutputBytes) throw new VideoError(...tooLarge);
      return await openOutputs(folder.output, named ?? {});
    } catch (error) {
      tell(job, error, ended);
      throw error;
    }
  }

  function environment({ temporary }: PrivateFolder): Readonly<Record<string, string>> {
    const passed = ['PATH', 'HOME', 'LANG'].flatMap((key) => {
      const value = process.env[key];
      return value === undefined ? [] : [[key, value] as const];
    });
    return { ...Object.fromEntries(passed), TMPDIR: temporary, ...settings.env };
  }

  function tell({ id }: VideoJob, error: unknown, { exitCode, signal, stderr }: RunResult): void {
    const code = error instanceof VideoError ? error.code : 'command_failed';
    settings.report({ videoId: id, code, exitCode, signal, stderr });
  }

  return {
    name,
    concurrency,
    models: () => models,
    render: (job, context) => rendering.track(render(job, context)),
    async close() {
      closing.abort(new Error('the engine is closed'));
      await rendering.ended();
    },
  };
}

/** @throws a `TypeError` if its memory cannot be limited as the options say. */
function programOf({ command, args, memoryBytes }: Settings): Program {
  if (memoryBytes === undefined) return { command, args };
  const program = withMemoryLimit({ command, args }, memoryBytes);
  if (program) return program;
  throw new TypeError(
    "createCommandVideos: 'memoryBytes' needs the program prlimit (util-linux), which is not in PATH.",
  );
}

interface Making {
  readonly folder: PrivateFolder;
  readonly input: string;
  readonly signal: AbortSignal;
  progress(percent: number): void;
}

const tooLarge = ['command_output_too_large', 'The output of the video command is too large.'] as const;

async function keep(outputs: readonly Output[], context: VideoContext, signal: AbortSignal): Promise<void> {
  try {
    for (const { variant, mediaType, file } of outputs) {
      signal.throwIfAborted();
      await context.save(variant, mediaType, file.createReadStream({ start: 0, autoClose: false }));
    }
  } finally {
    await closeOutputs(outputs);
  }
}
