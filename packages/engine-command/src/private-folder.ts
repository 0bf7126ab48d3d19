import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VideoError } from '@modelwire/ports';
import type { VideoJob } from '@modelwire/ports';

/** The folders of one run. Nobody else may look into them. */
export interface PrivateFolder {
  /** Where the program starts. */
  readonly path: string;
  readonly input: string;
  readonly output: string;
  readonly temporary: string;
  remove(): Promise<void>;
}

export async function privateFolder(parent = tmpdir()): Promise<PrivateFolder> {
  // mkdtemp makes it 0700. The real path, since what lies inside is compared with it.
  const path = await realpath(await mkdtemp(join(parent, 'modelwire-video-')));
  const inside = { input: join(path, 'input'), output: join(path, 'output'), temporary: join(path, 'tmp') };
  for (const folder of Object.values(inside)) await mkdir(folder, { mode: 0o700 });
  return { path, ...inside, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Puts into the folder what the program reads, and gives the JSON text of its job. */
export async function writeJob(
  {
    id,
    model,
    prompt,
    width,
    height,
    seconds,
    extensionSeconds,
    seed,
    inputReference,
    source,
    uploadedSource,
  }: VideoJob,
  folder: PrivateFolder,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string> {
  let reference: { path: string; media_type: string } | null = null;
  if (inputReference) {
    const { mediaType, bytes } = inputReference;
    const path = join(folder.input, `reference.${extensions[mediaType] ?? 'image'}`);
    await writeFile(path, bytes, { signal });
    reference = { path, media_type: mediaType };
  }
  let from: Record<string, string | number> | null = null;
  const video = join(folder.input, 'source.mp4');
  if (uploadedSource) {
    await pipeline(uploadedSource.read(), bounded(maxBytes), createWriteStream(video), { signal });
    from = { video };
  }
  if (source) {
    await pipeline(source.read('video'), bounded(maxBytes), createWriteStream(video), { signal });
    const { id: sourceId, prompt: before, width: wide, height: high, seconds: length, seed: seeded } = source;
    from = { id: sourceId, prompt: before, width: wide, height: high, seconds: length, seed: seeded, video };
  }
  const job = {
    id,
    model,
    prompt,
    width,
    height,
    seconds,
    extension_seconds: extensionSeconds ?? null,
    seed,
    input_reference: reference,
    source: from,
    output: folder.output,
  };
  return `${JSON.stringify(job)}\n`;
}

function bounded(maxBytes: number) {
  return async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new VideoError('source_too_large', 'The source video is too large for this model.');
      yield piece;
    }
  };
}
