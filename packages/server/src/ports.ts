// What adapters of the ports need, without the kit: a store or a blob store may be opened where no server is.
// What they throw:
export { ReservationLostError } from './ports/file-store.ts';
export { BlobMissingError } from './ports/blobs.ts';
export type { NoSpace } from './ports/no-space.ts';
export { isStorageUnavailable } from './ports/storage-unavailable.ts';
export type { StorageDependency, StorageOutage, StorageUnavailable } from './ports/storage-unavailable.ts';

// What every blob store does with what it is given:
export { isBlobKey, requireBlobKey, requireByteRange } from './ports/blob-arguments.ts';
export { interruptible } from './ports/interruptible.ts';
