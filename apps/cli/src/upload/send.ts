import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { NotFoundError } from '@modelwire/core';
import { createUploads } from '@modelwire/uploads';
import type { FilePurpose, Upload, UploadState } from '@modelwire/uploads';
import { filePurposes } from '@modelwire/schema/enums';
import type { Context, Flags } from '../command.ts';
import { pathsOf } from '../config/paths.ts';
import { usageError } from '../cli-error.ts';
import { bytesText, parseBytes } from '../output/units.ts';
import { newFileFlags, purposeOf } from '../purpose.ts';
import { readState, removeState, statePath, writeState } from './state-file.ts';
import type { Identity } from './state-file.ts';

export const uploadFlags = {
  ...newFileFlags,
  type: { type: 'string', value: 'mime', description: 'Media type (default: application/octet-stream)' },
  'part-size': { type: 'string', value: 'size', description: 'Size of a part, up to 64MB (default: 16MiB)' },
  parallel: {
    type: 'integer',
    short: 'j',
    value: 'n',
    min: 1,
    max: 64,
    description: 'Number of concurrent parts (default: 4)',
  },
  md5: { type: 'boolean', description: 'Verify the file by its MD5 checksum' },
  state: { type: 'string', value: 'file', completes: 'file', description: 'File for the progress of the upload' },
  'no-resume': { type: 'boolean', description: 'Start again instead of resuming' },
  'expires-after': { type: 'integer', value: 'seconds', min: 1, description: 'Delete the file after this time' },
} as const satisfies Flags;

type UploadContext = Context<typeof uploadFlags>;

/** Uploads a file in parts, or resumes its upload. */
export async function sendFile(context: UploadContext, filePath: string): Promise<Upload> {
  const { flags, terminal, settings, print } = context;
  const path = resolve(terminal.cwd, filePath);
  const stats = await stat(path);
  if (!stats.isFile()) throw usageError(`${filePath} is not a file.`);
  const name = flags.name ?? basename(path);
  const identity: Identity = {
    path,
    name,
    size: stats.size,
    modifiedMs: stats.mtimeMs,
    baseURL: (await settings()).baseURL.value,
    purpose: flags.purpose ?? purposeOf(name),
  };
  const stateFile =
    flags.state === undefined ? statePath(pathsOf(terminal).state, identity) : resolve(terminal.cwd, flags.state);
  const resume = flags['no-resume'] ? undefined : await readState(stateFile, identity);
  try {
    return await transfer(context, identity, stateFile, resume);
  } catch (error) {
    // The upload has expired on the server. It is started again.
    if (resume === undefined || !(error instanceof NotFoundError)) throw error;
    print.note('The upload has expired on the server. Starting again.');
    removeState(stateFile);
    return transfer(context, identity, stateFile, undefined);
  }
}

async function transfer(
  { flags, transport, print, signal }: UploadContext,
  identity: Identity,
  stateFile: string,
  resume: UploadState | undefined,
): Promise<Upload> {
  const { path, name, size } = identity;
  const uploads = createUploads(await transport());
  const seconds = flags['expires-after'];
  const partSize = resume?.part_size ?? partSizeOf(flags['part-size']);
  let alreadyDone: number | undefined;
  const sent = { any: false };
  try {
    const upload = await uploads.upload({
      // Read while it is sent. If the file changes meanwhile, the upload fails.
      file: await openAsBlob(path),
      filename: name,
      purpose: purposeName(identity.purpose),
      signal,
      concurrency: flags.parallel,
      mime_type: flags.type,
      partSize,
      resume,
      ...(seconds !== undefined && { expires_after: { anchor: 'created_at', seconds } }),
      // Three times as fast as the default implementation in WebAssembly.
      ...(flags.md5 && { md5: () => createHash('md5') }),
      onProgress({ bytes, total, state }) {
        sent.any = true;
        if (alreadyDone === undefined && bytes > 0) print.note(`Resuming: ${bytesText(bytes)} are already uploaded.`);
        alreadyDone ??= bytes;
        writeState(stateFile, identity, state);
        print.progress.update({ done: bytes, total, alreadyDone, label: name, unit: 'bytes' });
      },
    });
    removeState(stateFile);
    return upload;
  } catch (error) {
    if (sent.any && size > 0) print.note('To resume the upload, run the same command again within one hour.');
    throw error;
  } finally {
    print.progress.clear();
  }
}

function partSizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = parseBytes(text);
  if (bytes === undefined)
    throw usageError(
      `Invalid value "${text}" for option --part-size.`,
      'Expected a size such as 16MiB, 64MB or 1000000.',
    );
  return bytes;
}

function purposeName(name: string): FilePurpose {
  return filePurposes.find((known) => known === name) ?? 'user_data';
}
