import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VideoContext, VideoEngine, VideoJob } from '@modelwire/ports';
import { onTestFinished } from 'vitest';
import { createCommandVideos } from '../index.ts';
import type { CommandFailure, CommandVideosOptions } from '../index.ts';

/** The start of an MP4 file, enough to be recognised. */
export const mp4 = Buffer.from('\0\0\0\x18ftypisom-video-bytes', 'latin1');
export const png = Buffer.from('\x89PNG\r\n\x1a\n-image-bytes', 'latin1');

export interface TestEngine {
  readonly engine: VideoEngine;
  readonly failures: CommandFailure[];
  /** Where programs may leave notes for the test. */
  readonly notes: string;
  note(name: string): string;
  /** Private folders that are there now. */
  folders(): readonly string[];
}

/**
 * An engine whose program is this JavaScript: `job` is what it was given, `write` puts a file into the output folder, `note` one where
 * the test looks, `fs`, `path` and `child` are Node's.
 */
export function createTestEngine(source: string, options: Partial<CommandVideosOptions> = {}): TestEngine {
  const home = mkdtempSync(join(tmpdir(), 'modelwire-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const program = join(home, 'program.cjs');
  writeFileSync(
    program,
    `const fs = require('node:fs'), path = require('node:path'), child = require('node:child_process');
    const input = fs.readFileSync(0, 'utf8');
    const job = JSON.parse(input);
    const write = (name, bytes = Buffer.from('${mp4.toString('base64')}', 'base64')) => fs.writeFileSync(path.join(job.output, name), bytes);
    const note = (name, said) => { fs.writeFileSync('${home}/tmp-' + name, String(said)); fs.renameSync('${home}/tmp-' + name, '${home}/' + name); };
    ${source}`,
  );
  const failures: CommandFailure[] = [];
  const inside = mkdtempSync(join(home, 'folders-'));
  return {
    engine: createCommandVideos({
      command: process.execPath,
      args: [program],
      models: { renderer: {} },
      tempFolder: inside,
      report: (failure) => failures.push(failure),
      ...options,
    }),
    failures,
    notes: home,
    note: (name) => readFileSync(join(home, name), 'utf8'),
    folders: () => readdirSync(inside),
  };
}

export const job: VideoJob = {
  id: 'video_1',
  model: 'renderer',
  prompt: 'A river',
  width: 720,
  height: 1280,
  seconds: 4,
  extensionSeconds: undefined,
  uploadedSource: undefined,
  seed: 7,
  inputReference: undefined,
  source: undefined,
};

export interface RecordingContext {
  readonly context: VideoContext;
  readonly saved: Map<string, { readonly mediaType: string; readonly bytes: Buffer }>;
  readonly progress: number[];
}

export function createRecordingContext(signal: AbortSignal = new AbortController().signal): RecordingContext {
  const saved: RecordingContext['saved'] = new Map();
  const progress: number[] = [];
  return {
    saved,
    progress,
    context: {
      signal,
      progress: (percent) => progress.push(percent),
      checkpoint: undefined,
      saveCheckpoint: () => Promise.resolve(),
      save: async (variant, mediaType, bytes) => {
        saved.set(variant, { mediaType, bytes: Buffer.concat(await Array.fromAsync(bytes)) });
      },
    },
  };
}

/** Whether a process runs; one that has ended and was not asked after does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
