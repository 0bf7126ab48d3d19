import type { FileObject } from './files.ts';
import type { Open } from './open.ts';

export type UploadStatus = 'pending' | 'completed' | 'cancelled' | 'expired';

export interface Upload {
  id: string;
  object: 'upload';
  /** Unix seconds. */
  created_at: number;
  filename: string;
  /** What was declared at creation. */
  bytes: number;
  purpose: string;
  status: Open<UploadStatus>;
  /** Unix seconds. */
  expires_at: number;
  /** The file made of the parts, once the upload is completed. */
  file?: FileObject | null;
}

export interface UploadPart {
  id: string;
  object: 'upload.part';
  /** Unix seconds. */
  created_at: number;
  upload_id: string;
}

/** The form of Add upload part. */
export interface UploadPartCreateParams {
  /** At most 64 MB. */
  readonly data: Blob;
}
