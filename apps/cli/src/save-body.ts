import { createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Context, Flags } from './command.ts';
import { usageError } from './cli-error.ts';
import { createControlFilter, withoutControls } from './output/controls.ts';
import { bytesText } from './output/units.ts';

/** Options of the commands that save a response body. */
export const saveFlags = {
  output: {
    type: 'string',
    short: 'o',
    value: 'path',
    completes: 'file',
    description: 'File or folder to save to; - is stdout',
  },
  force: { type: 'boolean', short: 'f', description: 'Overwrite an existing file' },
} as const satisfies Flags;

/** Saves a response body and prints its path. Atomic: an incomplete file never has the final name. */
export async function saveBody(
  { flags, terminal, print, signal }: Context<typeof saveFlags>,
  { body, headers }: Response,
  suggestedName: string,
): Promise<string | undefined> {
  const total = Number(headers.get('content-length') ?? 0);
  let done = 0;
  const withProgress = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      done += chunk.length;
      print.progress.update({ done, total, label: suggestedName, unit: 'bytes' });
      yield chunk;
    }
  };
  const source = body === null ? Readable.from([]) : Readable.fromWeb(body as NodeReadableStream<Uint8Array>);
  if (flags.output === '-') {
    if (terminal.isTTY.stdout && !isText(headers)) {
      source.destroy();
      throw usageError('Binary data is not printed on a terminal.', 'Use --output <file>, or pipe the output.');
    }
    // One decoder and one filter for all chunks: a character or control sequence can span two of them.
    const utf8 = new TextDecoder();
    const filter = createControlFilter();
    for await (const chunk of source) {
      const bytes = chunk as Uint8Array;
      if (terminal.isTTY.stdout) await print.raw(filter.push(utf8.decode(bytes, { stream: true })));
      else await print.bytes(bytes);
    }
    return undefined;
  }

  const path = await destination(terminal.cwd, flags.output, suggestedName);
  if (!flags.force && (await exists(path))) {
    source.destroy();
    throw usageError(
      `The file ${path} already exists.`,
      'Overwrite it with --force, or choose another with --output <file>.',
    );
  }
  const temporary = `${path}.part`;
  try {
    await pipeline(source, withProgress, createWriteStream(temporary), { signal });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  print.progress.clear();
  if (print.json) await print.value({ path, bytes: done });
  else {
    await print.text(`${path}\n`);
    print.note(bytesText(done));
  }
  return path;
}

async function destination(cwd: string, output: string | undefined, suggestedName: string): Promise<string> {
  const name = safeName(suggestedName);
  if (output === undefined) return join(cwd, name);
  const path = resolve(cwd, output);
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true ? join(path, name) : path;
}

/** A file name from a server without folders, leading dots, and characters that are special in terminals or shells. */
export function safeName(name: string): string {
  const base = basename(withoutControls(name).replaceAll('\\', '/'))
    .replace(/^[.\s-]+/, '')
    .replace(/[\n\t:*?"<>|]/g, '_');
  return base === '' ? 'download' : base.slice(0, 200);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isText(headers: Headers): boolean {
  return /^text\/|json/.test(headers.get('content-type') ?? '');
}
