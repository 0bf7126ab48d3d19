import { AbortError, NotFoundError } from '@modelwire/client';
import type { FilePurpose, UploadState } from '@modelwire/client';
import { useSyncExternalStore } from 'react';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { findInterrupted, removeInterrupted, storeInterrupted } from './interrupted-uploads.ts';

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

interface TransferControl {
  controller: AbortController;
  state: UploadState | undefined;
}

// Not in the state of a component: a transfer continues while the user opens other pages.
let transfers: readonly Transfer[] = [];
const controls = new Map<number, TransferControl>();
const listeners = new Set<() => void>();
let lastId = 0;

function updateTransfer(id: number, changes: Partial<Transfer>): void {
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

/** Uploads a file. If an earlier upload of it was interrupted, also by a reload of the page, it is resumed. */
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
  void runTransfer(transfer);
}

export function pauseTransfer(id: number): void {
  controls.get(id)?.controller.abort();
}

export function resumeTransfer(id: number): void {
  const transfer = transfers.find((transfer) => transfer.id === id);
  const control = controls.get(id);
  if (transfer === undefined || control === undefined) return;
  control.controller = new AbortController();
  updateTransfer(id, { status: 'running', error: undefined });
  void runTransfer(transfer);
}

/** Removes a transfer from the page. If it is not finished, it is cancelled on the server. */
export function removeTransfer(id: number): void {
  const control = controls.get(id);
  const transfer = transfers.find((transfer) => transfer.id === id);
  control?.controller.abort();
  if (transfer !== undefined && transfer.status !== 'finished') {
    removeInterrupted(transfer.file);
    // The server deletes an upload after an hour in any case.
    if (control?.state !== undefined) api.uploads.cancel(control.state.upload_id).catch(() => undefined);
  }
  controls.delete(id);
  transfers = transfers.filter((other) => other.id !== id);
  for (const listener of listeners) listener();
}

async function runTransfer(transfer: Transfer): Promise<void> {
  const { id, file } = transfer;
  updateTransfer(id, { status: 'running' });
  try {
    const fileId = file.size <= multipartBytes ? await uploadInOneRequest(transfer) : await uploadInParts(transfer);
    updateTransfer(id, { status: 'finished', bytes: file.size, fileId });
    await queryClient.resetQueries({ queryKey: ['files'] });
  } catch (error) {
    if (error instanceof AbortError) updateTransfer(id, { status: 'paused' });
    else updateTransfer(id, { status: 'failed', error });
  }
}

async function uploadInOneRequest({ id, file, purpose }: Transfer): Promise<string> {
  const { id: fileId } = await api.files.create({ file, purpose }, { signal: controls.get(id)?.controller.signal });
  return fileId;
}

async function uploadInParts({ id, file, purpose }: Transfer): Promise<string | undefined> {
  const control = controls.get(id);
  const startedAt = performance.now();
  let initialBytes: number | undefined;
  try {
    const upload = await api.uploads.uploadFile({
      file,
      purpose,
      partSize: control?.state?.part_size ?? choosePartSize(file.size),
      resume: control?.state,
      signal: control?.controller.signal,
      onProgress: ({ bytes, state }) => {
        if (control !== undefined) control.state = state;
        storeInterrupted(file, { state, purpose });
        initialBytes ??= bytes;
        const seconds = (performance.now() - startedAt) / 1000;
        updateTransfer(id, {
          bytes,
          bytesPerSecond: bytes > initialBytes ? (bytes - initialBytes) / seconds : undefined,
        });
      },
    });
    removeInterrupted(file);
    return upload.file?.id;
  } catch (error) {
    if (error instanceof NotFoundError && control !== undefined) {
      // The upload has expired on the server: a retry starts from the beginning.
      control.state = undefined;
      removeInterrupted(file);
    }
    throw error;
  }
}

/** Small parts, so that an interruption loses little; larger parts for files that would otherwise have thousands. */
function choosePartSize(bytes: number): number {
  const mebibyte = 1024 ** 2;
  return Math.min(64, Math.max(8, Math.ceil(bytes / mebibyte / 500))) * mebibyte;
}
