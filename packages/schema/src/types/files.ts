import type { ExpiresAfter } from './expires-after.ts';
import type { Open } from './open.ts';
import type { List, OrderedListParams } from './paging.ts';

/** Purposes that a caller may give. */
export type FilePurpose = 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'user_data' | 'evals';
/** Purposes of files that the service makes. */
export type MadeFilePurpose = 'assistants_output' | 'batch_output' | 'fine-tune-results';
/** Deprecated. */
export type FileStatus = 'uploaded' | 'processed' | 'error';

export interface FileObject {
  id: string;
  object: 'file';
  bytes: number;
  /** Unix seconds. */
  created_at: number;
  expires_at?: number | null;
  filename: string;
  purpose: Open<FilePurpose | MadeFilePurpose>;
  /** Deprecated. */
  status?: Open<FileStatus>;
  /** Deprecated. */
  status_details?: string | null;
}

/** Fields of the multipart form of Create file, beside its `file`. */
export interface FileCreateFields {
  readonly purpose: FilePurpose;
  /** On the wire: `expires_after[anchor]` and `expires_after[seconds]`. */
  readonly expires_after?: ExpiresAfter;
}

/** The form of Create file. */
export interface FileCreateParams extends FileCreateFields {
  readonly file: Blob;
}

export interface FileListParams extends OrderedListParams {
  readonly purpose?: string;
}

export type FileObjectList = List<FileObject>;

export interface FileDeleted {
  id: string;
  object: 'file';
  deleted: boolean;
}
