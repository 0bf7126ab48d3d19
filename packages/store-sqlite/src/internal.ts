// For the packages of this repository. It can change in any release.
export { backupSqlite, findRecordOfBlob, inspectSqliteCopy } from './file/backup.ts';
export type { SqliteCopy } from './file/backup.ts';
export { openSqliteWriter } from './threads/sqlite-writer.ts';
export type { SqliteWrite, SqliteWriteOutcome, SqliteWriter, SqliteWriterOptions } from './threads/sqlite-writer.ts';
export { openSqliteRecordSource } from './transfer/record-source.ts';
export { openSqliteRecordTarget } from './transfer/record-target.ts';
