import type { StorageOutage } from '@modelwire/server';
import { isStorageUnavailable } from '@modelwire/server/ports';

/** The errors that an AggregateError holds, however deeply nested, or the error itself. */
export function causesOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors.flatMap(causesOf) : [error];
}

export interface LoggedError {
  readonly error: string;
  readonly code?: string;
  /** The storage that could not be used, and why. */
  readonly outage?: StorageOutage;
}

/** What an error may show in a log: its name and code, and the outage it comes from. A message may quote what somebody said. */
export function namesOf(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { error: typeof error };
  const code =
    'code' in error && typeof error.code === 'string' && /^\w{1,64}$/.test(error.code) ? error.code : undefined;
  return {
    error: error.name,
    ...(code !== undefined && { code }),
    ...(isStorageUnavailable(error) && { outage: error.outage }),
  };
}
