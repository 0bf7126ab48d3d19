import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { VideoVariant } from '@modelwire/schema/types';
import { VideoError } from '@modelwire/ports';
import type { ProgressReport } from './output-lines.ts';

export interface Output {
  readonly variant: VideoVariant;
  readonly mediaType: string;
  readonly file: FileHandle;
}

/** Where outputs lie when the program names none. */
const usual = {
  video: ['video.mp4'],
  thumbnail: ['thumbnail.webp', 'thumbnail.jpg', 'thumbnail.png'],
  spritesheet: ['spritesheet.jpg', 'spritesheet.png'],
} as const satisfies Record<VideoVariant, readonly string[]>;

/**
 * Opens what the program has made. Only plain files inside of the folder: neither a link nor a way out of it.
 *
 * @throws {VideoError} for an output that is wrong, or no video.
 */
export async function openOutputs(
  folder: string,
  named: NonNullable<ProgressReport['outputs']>,
): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  try {
    for (const variant of ['video', 'thumbnail', 'spritesheet'] as const) {
      const path = named[variant];
      const candidates = path === undefined ? usual[variant] : [path];
      for (const candidate of candidates) {
        const file = await openInside(folder, candidate);
        if (!file) continue;
        // Added to the list first, so that it is closed in any case.
        const at = outputs.push({ variant, mediaType: '', file }) - 1;
        outputs[at] = { variant, mediaType: await mediaTypeOf(file, variant), file };
        break;
      }
      const found = outputs.at(-1)?.variant === variant;
      if (!found && (path !== undefined || variant === 'video')) throw wrong(`There is no ${variant} file`);
    }
    return outputs;
  } catch (error) {
    await closeOutputs(outputs);
    throw error;
  }
}

export async function closeOutputs(outputs: readonly Output[]): Promise<void> {
  for (const { file } of outputs) await file.close();
}

async function openInside(folder: string, path: string): Promise<FileHandle | undefined> {
  if (path.includes('\0')) throw wrong('It named a path that is none');
  const full = resolve(folder, path);
  let parent: string;
  try {
    parent = await realpath(dirname(full));
  } catch {
    return undefined;
  }
  if (parent !== folder && !parent.startsWith(folder + sep)) throw wrong('It named a file outside of its folder');
  let file: FileHandle;
  try {
    // Neither follows a link nor waits for the other end of a pipe.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    file = await open(join(parent, basename(full)), flags);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    throw wrong(code === 'ELOOP' || code === 'EMLINK' ? 'An output is a link' : 'An output could not be read');
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw wrong('An output is not a regular file');
}

/** The format of the bytes, regardless of the file name. */
async function mediaTypeOf(file: FileHandle, variant: VideoVariant): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
  const head = buffer.subarray(0, bytesRead).toString('latin1');
  const isVideo = head.slice(4, 8) === 'ftyp';
  const image = head.startsWith('\x89PNG')
    ? 'image/png'
    : head.startsWith('\xff\xd8\xff')
      ? 'image/jpeg'
      : head.startsWith('RIFF') && head.slice(8) === 'WEBP'
        ? 'image/webp'
        : undefined;
  if (variant === 'video' && isVideo) return 'video/mp4';
  if (variant !== 'video' && image !== undefined) return image;
  throw wrong(variant === 'video' ? 'The video is not an MP4 file' : `The ${variant} is not a PNG, JPEG or WebP image`);
}

function wrong(why: string): VideoError {
  // What was wrong is the operator's affair, and safe to show: it names nothing of the machine.
  return new VideoError('command_output_invalid', `The video command did not produce a valid video. ${why}.`);
}

/** Total size of all files in a folder. Links are not followed. A file that is deleted meanwhile is not counted. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const facts = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += facts?.size ?? 0;
  }
  return bytes;
}
