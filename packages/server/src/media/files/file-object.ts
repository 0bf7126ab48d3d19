import type { ExpiresAfter, FileObject } from '@modelwire/schema/types';
import { EXPIRES_AFTER_MAX_SECONDS } from '@modelwire/schema';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { sizeOf } from './read-segments.ts';
import type { FileRecord } from '@modelwire/ports';

/** Lifetime of a file in seconds; undefined for no expiry. By default the input of batches expires after 30 days, as official clients document it. */
export function lifetimeOf(purpose: string, expiresAfter: ExpiresAfter | undefined): number | undefined {
  return expiresAfter?.seconds ?? (purpose === 'batch' ? EXPIRES_AFTER_MAX_SECONDS : undefined);
}

/** The record of a new file whose bytes are stored. */
export function newFile(
  { clock, createId }: Pick<ServerContext, 'clock' | 'createId'>,
  init: {
    readonly filename: string;
    readonly purpose: FileObject['purpose'];
    readonly mediaType: string | undefined;
    readonly content: FileRecord['content'];
    /** Seconds after now; undefined for never. */
    readonly expiresAfter: number | undefined;
  },
): FileRecord {
  const created_at = nowInSeconds(clock);
  const { filename, purpose, mediaType, content, expiresAfter } = init;
  return {
    file: {
      id: createId('file-'),
      object: 'file',
      bytes: sizeOf(content),
      created_at,
      expires_at: expiresAfter === undefined ? null : created_at + expiresAfter,
      filename,
      purpose,
      status: 'processed',
    },
    mediaType,
    content,
  };
}

/** Expired files are treated as deleted, whether or not they were removed yet. */
export function hasExpired(
  { expires_at }: Pick<FileObject, 'expires_at'>,
  { clock }: Pick<ServerContext, 'clock'>,
): boolean {
  return typeof expires_at === 'number' && expires_at <= nowInSeconds(clock);
}
