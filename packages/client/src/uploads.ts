import { createUploads } from '@modelwire/uploads';
import type { FileUpload, Transport, UploadFileOptions, UploadsClient } from '@modelwire/uploads';

export interface Uploads extends UploadsClient {
  /**
   * Uploads a whole file: creates an upload, sends its parts in parallel with retries, and completes it. Resumable and in bounded
   * memory. The same as `upload`.
   */
  uploadFile(params: UploadFileOptions): FileUpload;
}

export function createUploadsResource(transport: Transport): Uploads {
  const uploads = createUploads(transport);
  return { ...uploads, uploadFile: uploads.upload };
}
