import { createTransport } from '@modelwire/core';
import type { ClientOptions } from '@modelwire/core';
import { createCalls } from './calls.ts';
import type { UploadCalls } from './calls.ts';
import { uploadFile } from './transfer.ts';
import type { FileUpload, UploadFileOptions } from './transfer.ts';

/** Options of a transport, or a transport that is shared with other clients. */
export type UploadsOptions = ClientOptions;

export interface UploadsClient extends UploadCalls {
  /**
   * Uploads a whole file: creates an upload, sends its parts in parallel, each with its own retries, and completes it. Memory does
   * not grow with the file: at most the parts that are being sent are in memory.
   */
  upload(params: UploadFileOptions): FileUpload;
}

/** Creates a client for uploads. Throws an `InputError` for an invalid base URL. */
export function createUploads(options: UploadsOptions = {}): UploadsClient {
  const calls = createCalls(createTransport(options));
  return { ...calls, upload: (params) => uploadFile(calls, params) };
}
