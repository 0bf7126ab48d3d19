import type { BlobSegment } from '@modelwire/ports';

export interface UploadKey {
  readonly project: string;
  readonly upload: string;
}

export interface StoredPart {
  readonly id: string;
  readonly segment: BlobSegment;
}

/**
 * MD5 of uploads in progress, computed part by part in one thread from the files of the parts. Nothing here is needed to complete an
 * upload: after a restart, on another server or with a storage without local files, its parts are read when it is completed.
 */
export interface PartChecksums {
  /** Registers a part that starts to arrive in this request. Returns a function to call when the request has ended. */
  expect(upload: UploadKey, requestId: string): () => void;
  /** Records that the part of this request is stored. */
  add(upload: UploadKey, requestId: string, part: StoredPart): void;
  /**
   * Resolves with the checksum of these parts in this order, or with undefined if their files cannot be read here. Parts that were hashed
   * in another order are hashed again. @throws the signal's reason.
   */
  digest(upload: UploadKey, parts: readonly StoredPart[], signal: AbortSignal): Promise<string | undefined>;
  /** Records that the upload is no longer in progress. `outcome` is whether it was completed with a checksum; undefined if it was cancelled. */
  end(upload: UploadKey, outcome?: 'checked' | 'unchecked'): void;
  close(): Promise<void>;
}
