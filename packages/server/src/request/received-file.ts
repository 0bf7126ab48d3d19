import type { BlobSegment } from '../ports/blob-ledger.ts';

/** A file of a form. Its bytes are written and reserved for a day. */
export interface ReceivedFile {
  readonly filename: string;
  readonly mediaType: string | undefined;
  readonly segment: BlobSegment;
}
