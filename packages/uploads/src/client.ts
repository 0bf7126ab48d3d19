import { createTransport } from '@modelwire/core';
import type { Transport, TransportOptions } from '@modelwire/core';
import { createCalls } from './calls.ts';
import type { UploadCalls } from './calls.ts';
import { uploadFile } from './transfer.ts';
import type { FileUpload, UploadFileOptions } from './transfer.ts';

/** How to reach the server, or a transport that other clients use too. */
export type UploadsOptions = TransportOptions | Transport;

export interface UploadsClient extends UploadCalls {
  /**
   * All of it: opens an upload, sends the parts in parallel, each retried by itself, and completes it. Memory does not grow
   * with the file: at most the parts under way are held.
   */
  upload(params: UploadFileOptions): FileUpload;
}

/** A client for uploads. Throws an `InputError` for a broken base URL. */
export function createUploads(options: UploadsOptions = {}): UploadsClient {
  const calls = createCalls('request' in options ? options : createTransport(options));
  return { ...calls, upload: (params) => uploadFile(calls, params) };
}
