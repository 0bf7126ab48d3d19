import type { Open } from './open.ts';
import type { List } from './paging.ts';
import type { FileCreateFields, FilePurpose } from './requests.ts';

/** Purposes of files that the server creates. */
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

/** The form of Create file. */
export interface FileCreateParams extends FileCreateFields {
  readonly file: Blob;
}

export type FileObjectList = List<FileObject>;

export interface FileDeleted {
  id: string;
  object: 'file';
  deleted: boolean;
}
