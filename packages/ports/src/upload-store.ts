import type { Upload, UploadPart } from '@modelwire/schema/types';
import type { BlobSegment } from './blob-ledger.ts';
import type { FileRecord } from './file-store.ts';
import type { StorageLimit } from './storage-limit.ts';

/** `upload.file` is absent until the upload is completed; `status` is as stored, even if the upload has expired since. */
export interface UploadRecord {
  readonly upload: Upload;
  readonly mediaType: string;
  /** Seconds after its creation at which the file expires; undefined for never. */
  readonly fileExpiresAfter: number | undefined;
}

export interface PartRecord {
  readonly part: UploadPart;
  readonly segment: BlobSegment;
}

/** The result of adding a part or of a change of status. `absent`: there is no such upload; otherwise the status that forbids it. */
export type PartOutcome =
  'added' | 'absent' | 'completed' | 'cancelled' | 'expired' | 'too_many_bytes' | 'too_many_parts';

/** Uploads of one project. No method reads or changes those of another project. */
export interface UploadStore {
  create(record: UploadRecord): Promise<void>;
  get(id: string): Promise<UploadRecord | undefined>;
  /**
   * Adds a part to a pending upload and takes over its reservation in the same commit. Concurrent calls lose no part, and together stay
   * within the limits. Any result other than `added` leaves the reservation unchanged. Durable when it resolves.
   *
   * @throws {ReservationLostError} if its bytes have been removed.
   */
  addPart(
    record: PartRecord,
    init: {
      /** Unix seconds: an upload whose `expires_at` is not after it has expired. */
      readonly now: number;
      readonly maxBytes: number;
      readonly maxParts: number;
    },
  ): Promise<PartOutcome>;
  /** The requested parts that belong to this upload, in any order. */
  parts(id: string, partIds: readonly string[]): Promise<readonly PartRecord[]>;
  /**
   * Completes a pending upload: the listed parts become the content of the file, and the bytes of all other parts become due `dueAfterMs`
   * milliseconds later, in one commit. Of concurrent calls one succeeds. Returns false if the upload was no longer pending.
   *
   * @throws {StorageLimitError} if the project would exceed its limit; the upload stays pending.
   */
  complete(
    id: string,
    init: StorageLimit & {
      readonly now: number;
      readonly partIds: readonly string[];
      readonly file: FileRecord;
      readonly dueAfterMs: number;
    },
  ): Promise<boolean>;
  /** Part IDs with which the upload was completed, in order; empty before that. */
  completedWith(id: string): Promise<readonly string[]>;
  /**
   * Cancels a pending upload; the bytes of its parts become due `dueAfterMs` milliseconds later, in the same commit. Returns false if the
   * upload was no longer pending.
   */
  cancel(id: string, init: { readonly now: number; readonly dueAfterMs: number }): Promise<boolean>;
}
