import type { FileRecord } from '@modelwire/ports';
import type { QueryBuilder } from './query-builder.ts';
import { segmentQueries } from './segments.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { toStored } from './text.ts';
import type { StoredText } from './text.ts';

/** Statements that insert a file. They do not consume the reservations of its bytes. */
export function insertFileStatements(
  db: QueryBuilder,
): (project: StoredText, record: FileRecord) => Statement<unknown>[] {
  const segments = segmentQueries(db);
  const insert = statement((slot: Slots<{ readonly project: StoredText; readonly record: FileRecord }>) =>
    db.insertInto('files').values({
      id: slot(({ record }) => toStored(record.file.id)),
      project: slot('project'),
      created: slot(({ record }) => record.file.created_at),
      purpose: slot(({ record }) => toStored(record.file.purpose)),
      expires: slot(({ record }) => record.file.expires_at ?? null),
      media_type: slot(({ record }) => (record.mediaType === undefined ? null : toStored(record.mediaType))),
      body: slot(({ record }) => JSON.stringify(record.file)),
    }),
  );
  return (project, record) => [
    insert({ project, record }),
    ...segments.insert({ owner: toStored(record.file.id), role: 'file' }, record.content),
  ];
}
