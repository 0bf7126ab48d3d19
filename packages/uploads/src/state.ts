import { InputError } from '@modelwire/core';
import { partRange } from './plan.ts';
import type { UploadPlan } from './plan.ts';

/**
 * The progress of an upload as plain JSON, without keys and bytes. Store it anywhere, and pass it as `resume` with the same file.
 */
export interface UploadState {
  readonly upload_id: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly part_size: number;
  /** The ID of each part that the server has acknowledged, in the order of the file; null for the others. */
  readonly part_ids: readonly (string | null)[];
  /** Unix seconds; the server deletes the upload afterwards. */
  readonly expires_at: number;
}

/** The state while parts are added. */
export interface MutableUploadState extends UploadState {
  readonly part_ids: (string | null)[];
}

/** The state of an upload without parts. */
export function newUploadState(
  { bytes, partSize, parts }: UploadPlan,
  id: string,
  expiresAt: number,
): MutableUploadState {
  const part_ids = Array.from({ length: parts }, () => null);
  return { upload_id: id, bytes, part_size: partSize, part_ids, expires_at: expiresAt };
}

export function copyUploadState(state: UploadState): MutableUploadState {
  return { ...state, part_ids: [...state.part_ids] };
}

/** Validates a state from the caller against the file. */
export function resumeUploadState(state: UploadState, bytes: number, partSize: number | undefined): MutableUploadState {
  if (!isState(state)) throw new InputError('resume is not the state of an upload.', { param: 'resume' });
  if (state.bytes !== bytes) {
    throw new InputError(`The upload to resume has ${state.bytes} bytes, but the file has ${bytes}.`, {
      param: 'file',
    });
  }
  if (partSize !== undefined && partSize !== state.part_size) {
    throw new InputError(`The upload to resume has parts of ${state.part_size} bytes, but partSize is ${partSize}.`, {
      param: 'partSize',
    });
  }
  return copyUploadState(state);
}

/** Bytes and parts that the server has acknowledged. */
export function acknowledgedParts(plan: UploadPlan, { part_ids }: UploadState): { bytes: number; parts: number } {
  const done = { bytes: 0, parts: 0 };
  for (const [index, id] of part_ids.entries()) {
    if (id === null) continue;
    const { start, end } = partRange(plan, index);
    done.bytes += end - start;
    done.parts++;
  }
  return done;
}

function isState(value: unknown): value is UploadState {
  if (typeof value !== 'object' || value === null) return false;
  const { upload_id, bytes, part_size, part_ids, expires_at } = value as Partial<Record<keyof UploadState, unknown>>;
  return (
    typeof upload_id === 'string' &&
    typeof expires_at === 'number' &&
    typeof bytes === 'number' &&
    typeof part_size === 'number' &&
    Array.isArray(part_ids) &&
    part_ids.length === Math.ceil(bytes / part_size) &&
    part_ids.every((id) => id === null || typeof id === 'string')
  );
}
