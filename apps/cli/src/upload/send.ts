import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { NotFoundError } from '@modelwire/client';
import type { FilePurpose, Upload } from '@modelwire/client';
import type { UploadState } from '@modelwire/uploads';
import { nodeMd5 } from '@modelwire/uploads/node';
import type { App } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { pathsOf } from '../config/paths.ts';
import { bytesText } from '../output/units.ts';
import { purposeOf } from '../purpose.ts';
import { readState, removeState, statePath, writeState } from './state-file.ts';
import type { Identity } from './state-file.ts';

interface UploadFlags {
  readonly purpose?: FilePurpose;
  readonly name?: string;
  readonly expiresAfter?: number;
  readonly type?: string;
  readonly partSize?: number;
  readonly parallel?: number;
  readonly md5?: boolean;
  readonly state?: string;
  readonly resume: boolean;
}

/** Uploads a file in parts, or resumes its upload. */
export async function sendFile(app: App, filePath: string, flags: UploadFlags): Promise<Upload> {
  const { terminal, settings, print } = app;
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
  const resume = flags.resume ? await readState(stateFile, identity) : undefined;
  try {
    return await transfer(app, flags, identity, stateFile, resume);
  } catch (error) {
    // The upload has expired on the server. It is started again.
    if (resume === undefined || !(error instanceof NotFoundError)) throw error;
    print.note('The upload has expired on the server. Starting again.');
    removeState(stateFile);
    return transfer(app, flags, identity, stateFile, undefined);
  }
}

async function transfer(
  { client, print, signal }: App,
  flags: UploadFlags,
  identity: Identity,
  stateFile: string,
  resume: UploadState | undefined,
): Promise<Upload> {
  const { path, name, size } = identity;
  const { uploads } = await client();
  const { expiresAfter: seconds } = flags;
  let alreadyDone: number | undefined;
  const sent = { any: false };
  try {
    const upload = await uploads.upload({
      // Read while it is sent. If the file changes meanwhile, the upload fails.
      file: await openAsBlob(path),
      filename: name,
      purpose: identity.purpose,
      signal,
      concurrency: flags.parallel,
      mime_type: flags.type,
      partSize: resume?.part_size ?? flags.partSize,
      resume,
      ...(seconds !== undefined && { expires_after: { anchor: 'created_at', seconds } }),
      ...(flags.md5 && { md5: nodeMd5 }),
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
