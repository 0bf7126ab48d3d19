import { AbortError, NotFoundError } from '@modelwire/client';
import type { FilePurpose, UploadState } from '@modelwire/client';
import { useSyncExternalStore } from 'react';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { findInterrupted, forgetInterrupted, rememberInterrupted } from './interrupted-uploads.ts';

/** Larger files are sent in parts, so that they can be paused and resumed. */
const multipartBytes = 16 * 1024 ** 2;

export interface Transfer {
  readonly id: number;
  readonly file: File;
  readonly purpose: FilePurpose;
  readonly status: 'running' | 'paused' | 'finished' | 'failed';
  /** Bytes that the server has acknowledged. */
  readonly bytes: number;
  readonly bytesPerSecond: number | undefined;
  readonly fileId: string | undefined;
  readonly error: unknown;
}

interface Control {
  controller: AbortController;
  state: UploadState | undefined;
}

// Outside of the page: a transfer continues while the user looks at other pages.
let transfers: readonly Transfer[] = [];
const controls = new Map<number, Control>();
const listeners = new Set<() => void>();
let lastId = 0;

function change(id: number, changes: Partial<Transfer>): void {
  transfers = transfers.map((transfer) => (transfer.id === id ? { ...transfer, ...changes } : transfer));
  for (const listener of listeners) listener();
}

/** The transfers of this tab, newest first. */
export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => transfers,
  );
}

/** Sends a file. One whose upload was interrupted, also by a reload of the page, continues where it stopped. */
export function startTransfer(file: File, purpose: FilePurpose): void {
  lastId += 1;
  const interrupted = findInterrupted(file);
  const transfer: Transfer = {
    id: lastId,
    file,
    purpose: interrupted?.purpose ?? purpose,
    status: 'running',
    bytes: 0,
    bytesPerSecond: undefined,
    fileId: undefined,
    error: undefined,
  };
  transfers = [transfer, ...transfers];
  controls.set(transfer.id, { controller: new AbortController(), state: interrupted?.state });
  void run(transfer);
}

export function pauseTransfer(id: number): void {
  controls.get(id)?.controller.abort();
}

export function resumeTransfer(id: number): void {
  const transfer = transfers.find((one) => one.id === id);
  const control = controls.get(id);
  if (transfer === undefined || control === undefined) return;
  control.controller = new AbortController();
  change(id, { status: 'running', error: undefined });
  void run(transfer);
}

/** Removes a transfer from the page. One that is not finished is cancelled on the server. */
export function removeTransfer(id: number): void {
  const control = controls.get(id);
  const transfer = transfers.find((one) => one.id === id);
  control?.controller.abort();
  if (transfer !== undefined && transfer.status !== 'finished') {
    forgetInterrupted(transfer.file);
    // The server deletes an upload after an hour in any case.
    if (control?.state !== undefined) api.uploads.cancel(control.state.upload_id).catch(() => undefined);
  }
  controls.delete(id);
  transfers = transfers.filter((one) => one.id !== id);
  for (const listener of listeners) listener();
}

async function run(transfer: Transfer): Promise<void> {
  const { id, file } = transfer;
  change(id, { status: 'running' });
  try {
    const fileId = file.size <= multipartBytes ? await sendWhole(transfer) : await sendParts(transfer);
    change(id, { status: 'finished', bytes: file.size, fileId });
    await queryClient.resetQueries({ queryKey: ['files'] });
  } catch (error) {
    if (error instanceof AbortError) change(id, { status: 'paused' });
    else change(id, { status: 'failed', error });
  }
}

async function sendWhole({ id, file, purpose }: Transfer): Promise<string> {
  const { id: fileId } = await api.files.create({ file, purpose }, { signal: controls.get(id)?.controller.signal });
  return fileId;
}

async function sendParts({ id, file, purpose }: Transfer): Promise<string | undefined> {
  const control = controls.get(id);
  const started = performance.now();
  let before: number | undefined;
  try {
    const upload = await api.uploads.uploadFile({
      file,
      purpose,
      partSize: control?.state?.part_size ?? partSizeOf(file.size),
      resume: control?.state,
      signal: control?.controller.signal,
      onProgress: ({ bytes, state }) => {
        if (control !== undefined) control.state = state;
        rememberInterrupted(file, { state, purpose });
        before ??= bytes;
        const seconds = (performance.now() - started) / 1000;
        change(id, { bytes, bytesPerSecond: bytes > before ? (bytes - before) / seconds : undefined });
      },
    });
    forgetInterrupted(file);
    return upload.file?.id;
  } catch (error) {
    if (error instanceof NotFoundError && control !== undefined) {
      // The upload has expired on the server: a retry starts again.
      control.state = undefined;
      forgetInterrupted(file);
    }
    throw error;
  }
}

/** Small parts, so that little is lost by an interruption; larger ones for files that would have thousands. */
function partSizeOf(bytes: number): number {
  const mebibyte = 1024 ** 2;
  return Math.min(64, Math.max(8, Math.ceil(bytes / mebibyte / 500))) * mebibyte;
}
