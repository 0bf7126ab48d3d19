import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { NotFoundError } from '@modelwire/core';
import { createUploads } from '@modelwire/uploads';
import type { FilePurpose, Upload, UploadState } from '@modelwire/uploads';
import type { Context, Flags } from '../command.ts';
import { pathsOf } from '../config/paths.ts';
import { usageFailure } from '../failure.ts';
import { bytesText, parseBytes } from '../output/units.ts';
import { PURPOSES, purposeOf } from '../purpose.ts';
import { readState, removeState, statePath, writeState } from './state-file.ts';
import type { Identity } from './state-file.ts';

export const uploadFlags = {
  purpose: {
    type: 'string',
    choices: PURPOSES,
    description: 'default: batch for .jsonl, vision for images, else user_data',
  },
  name: { type: 'string', description: 'its name there; default its own' },
  type: { type: 'string', value: 'mime', description: 'its media type; default application/octet-stream' },
  'part-size': {
    type: 'string',
    value: 'size',
    description: 'bytes of a part, as 16MiB; 64 MB at most; default 16MiB',
  },
  parallel: {
    type: 'integer',
    short: 'j',
    value: 'n',
    min: 1,
    max: 64,
    description: 'parts on their way at once; default 4',
  },
  md5: { type: 'boolean', description: 'let the server verify the whole by its checksum' },
  state: { type: 'string', value: 'file', completes: 'file', description: 'where to keep how far it is' },
  'no-resume': { type: 'boolean', description: 'begin anew, whatever was sent before' },
  'expires-after': { type: 'integer', value: 'seconds', min: 1, description: 'when the server is to forget the file' },
} as const satisfies Flags;

type UploadContext = Context<typeof uploadFlags>;

/** Sends one file in parts, from where an earlier attempt broke off. */
export async function sendFile(context: UploadContext, given: string): Promise<Upload> {
  const { flags, terminal, settings, print } = context;
  const path = resolve(terminal.cwd, given);
  const found = await stat(path);
  if (!found.isFile()) throw usageFailure(`${given} is no file`);
  const name = flags.name ?? basename(path);
  const identity: Identity = {
    path,
    name,
    size: found.size,
    modifiedMs: found.mtimeMs,
    baseURL: (await settings()).baseURL.value,
    purpose: flags.purpose ?? purposeOf(name),
  };
  const { state: named } = flags;
  const kept = named === undefined ? statePath(pathsOf(terminal).state, identity) : resolve(terminal.cwd, named);
  const resume = flags['no-resume'] ? undefined : await readState(kept, identity);
  try {
    return await transfer(context, identity, kept, resume);
  } catch (error) {
    // The server has forgotten the upload, which may be restarted at once.
    if (resume === undefined || !(error instanceof NotFoundError)) throw error;
    print.note('What was sent before is gone: it begins anew.');
    removeState(kept);
    return transfer(context, identity, kept, undefined);
  }
}

async function transfer(
  { flags, transport, print, signal }: UploadContext,
  identity: Identity,
  kept: string,
  resume: UploadState | undefined,
): Promise<Upload> {
  const { path, name, size } = identity;
  const uploads = createUploads(await transport());
  const seconds = flags['expires-after'];
  const partSize = resume?.part_size ?? partSizeOf(flags['part-size']);
  let before: number | undefined;
  const sent = { any: false };
  try {
    const upload = await uploads.upload({
      // Read while it is sent, from the disk: a file that changes meanwhile fails, and is not sent half and half.
      file: await openAsBlob(path),
      filename: name,
      purpose: purposeName(identity.purpose),
      signal,
      concurrency: flags.parallel,
      mime_type: flags.type,
      partSize,
      resume,
      ...(seconds !== undefined && { expires_after: { anchor: 'created_at', seconds } }),
      // Node's own is three times as fast as one in WebAssembly.
      ...(flags.md5 && { md5: () => createHash('md5') }),
      onProgress({ bytes, total, state }) {
        sent.any = true;
        if (before === undefined && bytes > 0) print.note(`${bytesText(bytes)} are there already`);
        before ??= bytes;
        writeState(kept, identity, state);
        print.progress.update({ done: bytes, total, before, label: name, unit: 'bytes' });
      },
    });
    removeState(kept);
    return upload;
  } catch (error) {
    if (sent.any && size > 0) print.note('To go on where it broke off, run the same again within the hour.');
    throw error;
  } finally {
    print.progress.clear();
  }
}

function partSizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = parseBytes(text);
  if (bytes === undefined)
    throw usageFailure(`--part-size: "${text}" is no size`, 'It looks like this: 16MiB, 64MB, 1000000.');
  return bytes;
}

function purposeName(name: string): FilePurpose {
  return PURPOSES.find((known) => known === name) ?? 'user_data';
}
