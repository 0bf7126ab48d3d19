import { createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { App } from './app.ts';
import { usageError } from './cli-error.ts';
import { withoutControls } from './output/controls.ts';
import { bytesText } from './output/units.ts';

interface SaveOptions {
  readonly output?: string | undefined;
  readonly force?: boolean;
}

/** Adds the options of commands that save a response body. */
export function withSaveOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .option('-o, --output <path>', 'File or folder to save to; - is stdout')
    .option('-f, --force', 'Overwrite an existing file');
}

/** Saves a response body and prints its path. Atomic: an incomplete file never has the final name. */
export async function saveBody(
  { terminal, print, signal }: App,
  { output, force = false }: SaveOptions,
  { body, headers }: Response,
  suggestedName: string,
): Promise<void> {
  const total = Number(headers.get('content-length') ?? 0);
  let done = 0;
  const withProgress = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      done += chunk.length;
      print.progress.update({ done, total, label: suggestedName, unit: 'bytes' });
      yield chunk;
    }
  };
  const source = body ?? new Blob().stream();
  if (output === '-') {
    if (terminal.isTTY.stdout && !/^text\/|json/.test(headers.get('content-type') ?? '')) {
      await source.cancel();
      throw usageError('Binary data is not printed on a terminal.', 'Use --output <file>, or pipe the output.');
    }
    if (!terminal.isTTY.stdout) for await (const chunk of source) await print.bytes(chunk);
    else for await (const text of source.pipeThrough(new TextDecoderStream())) await print.text(text);
    return;
  }

  const path = await destination(terminal.cwd, output, suggestedName);
  if (!force && (await exists(path))) {
    await source.cancel();
    throw usageError(
      `The file ${path} already exists.`,
      'Overwrite it with --force, or choose another with --output <file>.',
    );
  }
  const temporary = `${path}.part`;
  try {
    await pipeline(Readable.from(source), withProgress, createWriteStream(temporary), { signal });
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
