import { createUploads } from '@modelwire/uploads';
import type { FileUpload, Transport, UploadFileOptions, UploadsClient } from '@modelwire/uploads';

export interface Uploads extends UploadsClient {
  /**
   * A whole file: opens an upload, sends its parts in parallel, each retried by itself, and completes it. Resumable, and in
   * bounded memory. The same as `upload`.
   */
  uploadFile(params: UploadFileOptions): FileUpload;
}

export function openUploads(transport: Transport): Uploads {
  const uploads = createUploads(transport);
  return { ...uploads, uploadFile: uploads.upload };
}
