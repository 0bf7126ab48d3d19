import type { Upload, UploadPart } from '@modelwire/schema/types';
import type { BlobSegment } from './blob-ledger.ts';
import type { FileRecord } from './file-store.ts';

/** `upload.file` is absent until it is completed; `status` is what was written, also when it has expired since. */
export interface UploadRecord {
  readonly upload: Upload;
  readonly mediaType: string;
  /** Seconds after its creation that the file expires; undefined for never. */
  readonly fileExpiresAfter: number | undefined;
}

export interface PartRecord {
  readonly part: UploadPart;
  readonly segment: BlobSegment;
}

/** What became of a part, or of a change of state. `absent`: no such upload; else the state that forbids it. */
export type PartOutcome =
  'added' | 'absent' | 'completed' | 'cancelled' | 'expired' | 'too_many_bytes' | 'too_many_parts';

/** Uploads of one project: no call sees or touches another project's. */
export interface UploadStore {
  create(record: UploadRecord): Promise<void>;
  get(id: string): Promise<UploadRecord | undefined>;
  /**
   * Adds a part to a pending upload, and takes its reservation in the same commit; of many at the same time none is lost, and all
   * together stay within the bounds. Anything but `added` leaves the reservation as it was. Durable when it resolves.
   *
   * @throws {ReservationLostError} when its bytes were removed meanwhile.
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
  /** Those of the asked ids that are parts of this upload, in no order. */
  parts(id: string, partIds: readonly string[]): Promise<readonly PartRecord[]>;
  /**
   * Makes a pending upload a file: the listed parts become its content, all other parts' bytes become due `dueAfterMs` milliseconds later. In one
   * commit; of two at the same time one does it. False when it was no longer pending.
   */
  complete(
    id: string,
    init: {
      readonly now: number;
      readonly partIds: readonly string[];
      readonly file: FileRecord;
      readonly dueAfterMs: number;
    },
  ): Promise<boolean>;
  /** The ids it was completed with, in order; empty before. */
  completedWith(id: string): Promise<readonly string[]>;
  /** Ends a pending upload; its parts' bytes become due `dueAfterMs` milliseconds later, in the same commit. False when it was no longer pending. */
  cancel(id: string, init: { readonly now: number; readonly dueAfterMs: number }): Promise<boolean>;
}
