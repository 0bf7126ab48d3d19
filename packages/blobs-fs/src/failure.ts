import type { StorageOutage } from '@modelwire/ports';

/** A file system operation failed. Nothing of a failed write is stored. */
export class FsBlobsError extends Error {
  override readonly name = 'FsBlobsError';
  /** The system's code: `ENOSPC`, `EIO`, `EROFS`, `EACCES`, …; `EEXIST` for an existing key. */
  readonly code: string;
  readonly noSpace: boolean;
  /** Set when the file system is temporarily unavailable. */
  readonly outage: StorageOutage | undefined;

  constructor(message: string, { code, cause }: { readonly code: string; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.noSpace = code === 'ENOSPC' || code === 'EDQUOT';
    const reason = outageCauses[code];
    this.outage = reason === undefined ? undefined : { dependency: 'blobs-fs', cause: `${reason} (${code})` };
  }
}

/** Errors of the file system as a whole or of this process's limits: the same operation may succeed later. */
const outageCauses: Readonly<Record<string, string>> = {
  EIO: 'disk error',
  EROFS: 'file system is read-only',
  ESTALE: 'network file system lost the file',
  ETIMEDOUT: 'timeout',
  EHOSTDOWN: 'host of the network file system is down',
  EHOSTUNREACH: 'host of the network file system is unreachable',
  ENOTCONN: 'file system is not connected',
  ENODEV: 'device is gone',
  ENXIO: 'device is gone',
  EMFILE: 'too many open files in this process',
  ENFILE: 'too many open files on this machine',
  EBUSY: 'device is busy',
};

const errorMessages: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EIO: 'the disk reported an error',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  EFBIG: 'the file is larger than the file system allows',
  ENOENT: 'the folder no longer exists',
  ENOTDIR: 'a file exists instead of a folder',
  ELOOP: 'a symbolic link exists, which is not followed',
  ESTALE: 'the network file system has lost the file',
};

/** The code of a system error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Describes a system error by its code. Returns other errors unchanged. */
function describeSystemError(failureMessage: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || error instanceof FsBlobsError || !/^E[A-Z0-9]+$/.test(code)) return error;
  const message = errorMessages[code];
  return new FsBlobsError(`${failureMessage}: ${message === undefined ? code : `${message} (${code})`}`, {
    code,
    cause: error,
  });
}

/** Runs the operation and describes system errors. */
export async function withErrorContext<Value>(failureMessage: string, operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    throw describeSystemError(failureMessage, error);
  }
}
