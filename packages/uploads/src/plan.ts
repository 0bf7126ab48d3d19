import { InputError } from '@modelwire/core';

/** Limits of the API (API: Add upload part, Limits). `plan.test.ts` compares them with the schema. */
export const PART_MAX_BYTES = 64 * 1024 ** 2;
export const UPLOAD_MAX_BYTES = 8 * 1024 ** 3;
export const UPLOAD_MAX_PARTS = 10_000;

const DEFAULT_PART_BYTES = 16 * 1024 ** 2;

/** The division of a file into parts of one size. The last part may be smaller. */
export interface UploadPlan {
  /** Size of the file. */
  readonly bytes: number;
  readonly partSize: number;
  readonly parts: number;
}

/** Throws an `InputError` for sizes that the API does not allow. */
export function planParts(bytes: number, partSize = DEFAULT_PART_BYTES): UploadPlan {
  if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > UPLOAD_MAX_BYTES) {
    throw new InputError(`The file must have at most 8 GB. It has ${bytes} bytes.`, { param: 'file' });
  }
  if (!Number.isSafeInteger(partSize) || partSize < 1 || partSize > PART_MAX_BYTES) {
    throw new InputError(`A part must have 1 byte to 64 MB: partSize is ${partSize}.`, { param: 'partSize' });
  }
  const parts = Math.ceil(bytes / partSize);
  if (parts > UPLOAD_MAX_PARTS) {
    throw new InputError(`An upload has at most ${UPLOAD_MAX_PARTS} parts; this partSize makes ${parts}.`, {
      param: 'partSize',
    });
  }
  return { bytes, partSize, parts };
}

/** The bytes of a part in the file; `end` is exclusive. */
export function partRange({ bytes, partSize }: UploadPlan, index: number): { start: number; end: number } {
  return { start: index * partSize, end: Math.min(bytes, (index + 1) * partSize) };
}
