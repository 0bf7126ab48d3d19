// What adapters of the ports throw, without the kit: a store or a blob store may be opened where no server is.
export { ReservationLostError } from './ports/file-store.ts';
export { BlobMissingError } from './ports/blobs.ts';
