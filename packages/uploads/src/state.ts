import { InputError } from '@modelwire/core';
import { spanOfPart } from './plan.ts';
import type { Plan } from './plan.ts';

/**
 * How far an upload is, as plain JSON: keep it anywhere, and give it back as `resume` with the same file. It holds no key and
 * no bytes.
 */
export interface UploadState {
  readonly upload_id: string;
  /** Of the whole file. */
  readonly bytes: number;
  readonly part_size: number;
  /** The id of each part that the server has acknowledged, in the order of the file; null for the others. */
  readonly part_ids: readonly (string | null)[];
  /** Unix seconds: afterwards the server has forgotten it. */
  readonly expires_at: number;
}

/** The same while parts are added. */
export interface Growing extends UploadState {
  readonly part_ids: (string | null)[];
}

/** The state of an upload without any part yet. */
export function emptyState({ bytes, partSize, parts }: Plan, id: string, expiresAt: number): Growing {
  const part_ids = Array.from({ length: parts }, () => null);
  return { upload_id: id, bytes, part_size: partSize, part_ids, expires_at: expiresAt };
}

export function copyState(state: UploadState): Growing {
  return { ...state, part_ids: [...state.part_ids] };
}

/** A state that comes from outside, checked against the file that it is said to belong to. */
export function resumedState(state: UploadState, bytes: number, partSize: number | undefined): Growing {
  if (!isState(state)) throw new InputError('This is no state of an upload.', { param: 'resume' });
  if (state.bytes !== bytes) {
    throw new InputError(`The upload to resume is of ${state.bytes} bytes, and the file has ${bytes}.`, {
      param: 'file',
    });
  }
  if (partSize !== undefined && partSize !== state.part_size) {
    throw new InputError(`The upload to resume has parts of ${state.part_size} bytes, not of ${partSize}.`, {
      param: 'partSize',
    });
  }
  return copyState(state);
}

/** What of the file the server has. */
export function acknowledged(plan: Plan, { part_ids }: UploadState): { bytes: number; parts: number } {
  const done = { bytes: 0, parts: 0 };
  for (const [index, id] of part_ids.entries()) {
    if (id === null) continue;
    const { start, end } = spanOfPart(plan, index);
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
