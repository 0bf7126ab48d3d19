import type { StorageOutage } from '@modelwire/ports';

/** The file system did not do what was asked for. Nothing of the write is kept. */
export class FsBlobsError extends Error {
  override readonly name = 'FsBlobsError';
  /** That of the system: `ENOSPC`, `EIO`, `EROFS`, `EACCES`, …; `EEXIST` for a key that is taken. */
  readonly code: string;
  readonly noSpace: boolean;
  /** Where the file system cannot be used at the moment. */
  readonly outage: StorageOutage | undefined;

  constructor(message: string, { code, cause }: { readonly code: string; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.noSpace = code === 'ENOSPC' || code === 'EDQUOT';
    const reason = outages[code];
    this.outage = reason === undefined ? undefined : { dependency: 'blobs-fs', cause: `${reason} (${code})` };
  }
}

/** Errors that are those of the file system as a whole, or of what this process may open: the same operation may succeed later. */
const outages: Readonly<Record<string, string>> = {
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

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EIO: 'the disk has an error',
  EROFS: 'the file system is read-only',
  EACCES: 'the user may not do that here',
  EPERM: 'the user may not do that here',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  EFBIG: 'the file is larger than the file system allows',
  ENOENT: 'the folder has gone',
  ENOTDIR: 'there is a file in the place of a folder',
  ELOOP: 'there is a symbolic link, which is not followed',
  ESTALE: 'the network file system has lost the file',
};

/** The code of an error of the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Says in words what the system said in a code. What is no error of the system stays what it is. */
function failureOf(doing: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof FsBlobsError || !/^E[A-Z0-9]+$/.test(code)) return error;
  const meaning = meanings[code];
  return new FsBlobsError(`${doing}: ${meaning === undefined ? code : `${meaning} (${code})`}`, { code, cause: error });
}

/** Does the work, and puts errors of the system in words. */
export async function saying<Value>(doing: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(doing, error);
  }
}
