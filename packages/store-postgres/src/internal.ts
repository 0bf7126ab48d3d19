// For the packages of this repository. It can change in any release.
export { openPostgresRecordSource } from './transfer/record-source.ts';
export { openPostgresRecordTarget } from './transfer/record-target.ts';
export type { PostgresRecordTargetOptions } from './transfer/record-target.ts';
