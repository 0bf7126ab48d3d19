import type { FileRecord } from '@modelwire/ports';
import type { QueryBuilder } from '../query/query-builder.ts';
import { insertRow } from '../query/rows.ts';
import type { Statement } from '../query/statement.ts';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { segmentStatements } from './segments.ts';

/** Statements that insert a file. They do not consume the reservations of its bytes. */
export function insertFileStatements(
  db: QueryBuilder,
): (project_id: StoredText, record: FileRecord) => Statement<unknown>[] {
  const segments = segmentStatements(db);
  const insert = insertRow(db, 'files');
  return (project_id, { file, mediaType, content }) => [
    insert({
      id: toStored(file.id),
      project_id,
      created_at: file.created_at,
      purpose: toStored(file.purpose),
      expires_at: file.expires_at ?? null,
      media_type: mediaType === undefined ? null : toStored(mediaType),
      body: JSON.stringify(file),
    }),
    ...segments.insert({ owner_id: toStored(file.id), role: 'file' }, content),
  ];
}
