import type { StorageOutage } from '@modelwire/ports';
import { isStorageUnavailable } from '@modelwire/ports';

/** Returns the errors of an AggregateError, at any depth, or the error itself. */
export function flattenErrors(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors.flatMap(flattenErrors) : [error];
}

export interface ErrorLogFields {
  readonly error: string;
  readonly code?: string;
  /** The storage dependency that failed, and why. */
  readonly outage?: StorageOutage;
}

/** The fields of an error that may be logged: name, code and outage. Never the message: it may quote user content. */
export function errorLogFields(error: unknown): ErrorLogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code =
    'code' in error && typeof error.code === 'string' && /^\w{1,64}$/.test(error.code) ? error.code : undefined;
  return {
    error: error.name,
    ...(code !== undefined && { code }),
    ...(isStorageUnavailable(error) && { outage: error.outage }),
  };
}
