import type { BlobSegment } from '@modelwire/ports';
import type { SqlValue } from './query/statement.ts';

/** A table whose rows can be moved to another database. */
export interface TableDescription {
  readonly name: string;
  /** In alphabetical order, so that it is the same in every database. */
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** The values of a row, in the order of `columns`. */
export type TableRow = readonly SqlValue[];

/** All records of a database as they were at one moment, for an export. */
export interface RecordSource {
  /** Every table with records, referenced tables first, otherwise in alphabetical order. */
  readonly tables: readonly TableDescription[];
  /** The rows in the order of the primary key, by the bytes of its texts: the same in every database. Only one iteration at a time. */
  rows(table: TableDescription): AsyncIterable<readonly TableRow[]>;
  /** The blobs that records refer to, each once, in the order of their keys. */
  blobs(): AsyncIterable<readonly BlobSegment[]>;
  close(): Promise<void>;
}

/** A database that receives all records of an export. Until the import is complete, servers refuse to start on it. */
export interface RecordTarget {
  readonly tables: readonly TableDescription[];
  /** Whether this export was imported completely before. Nothing else may be called then, except `close`. */
  readonly isComplete: boolean;
  /** How much of `name`, a table or another part of the export, was imported: the rows appended or the number set by `advance`. */
  position(name: string): number;
  /** Inserts rows and advances the position of the table in one transaction. Durable when it resolves. */
  append(table: TableDescription, rows: readonly TableRow[]): Promise<void>;
  /** Sets the position of a part that is not a table. Durable when it resolves. */
  advance(name: string, position: number): Promise<void>;
  /** Prepares the database for new records, once all rows are there. Can be repeated. */
  finish(): Promise<void>;
  /** Completes the import: servers can start. */
  complete(): Promise<void>;
  close(): Promise<void>;
}

/** Tables that describe the database itself; they are not moved. */
export const internalTablePrefix = 'modelwire_';

/** The bookkeeping of imports. */
export const importTables = {
  /** One row for each export that was imported: its ID, and when that was complete (ISO 8601) or null. */
  imports: 'modelwire_imports',
  /** One row for each part of the running import: its name and its position. */
  progress: 'modelwire_import_progress',
} as const;

/** For servers that start on a database whose import is not complete. */
export const incompleteImportMessage =
  'An import into this database is not complete. Repeat `modelwire-server import` with the same folder.';

/** For exports of a database that this program has not migrated. */
export function olderTablesMessage(found: number, current: number): string {
  return `The database has tables of version ${found}, and this program exports version ${current}. Start the server once, which migrates them.`;
}

/** @throws {Error} if tables refer to each other in a circle. */
export function orderByReference(
  tables: readonly TableDescription[],
  referencesOf: ReadonlyMap<string, readonly string[]>,
): readonly TableDescription[] {
  const ordered: TableDescription[] = [];
  let rest = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const isReady = ({ name }: TableDescription) =>
      (referencesOf.get(name) ?? []).every((other) => other === name || !waiting.has(other));
    const ready = rest.filter(isReady);
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle.');
    ordered.push(...ready);
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** What an import finds in its target. */
export interface ImportTargetState {
  readonly imports: readonly { readonly id: string; readonly isComplete: boolean }[];
  /** Names of the tables with rows. */
  readonly nonEmptyTables: readonly string[];
}

/** Returns whether to begin an import, to resume it, or that it is complete; otherwise why it is refused. */
export function decideImport(
  id: string,
  { imports, nonEmptyTables }: ImportTargetState,
): 'begin' | 'resume' | 'complete' | { readonly refused: string } {
  const same = imports.find((one) => one.id === id);
  if (same) return same.isComplete ? 'complete' : 'resume';
  if (imports.some(({ isComplete }) => !isComplete))
    return { refused: 'The import of another export into this database is not complete.' };
  if (nonEmptyTables.length === 0) return 'begin';
  return {
    refused: `The database is not empty: it has rows in ${nonEmptyTables.join(', ')}. Import into an empty one.`,
  };
}
