import type { StoredText } from '../query/text.ts';
import type { administrationTables } from './administration-tables.ts';
import type { RowsOfTables } from './columns.ts';
import type { recordTables } from './record-tables.ts';

// Times with a name in `_at` are in Unix seconds, those in `_at_ms` in milliseconds by the clock of the database. Columns in `_id` contain an ID,
// those in `_seq` the `seq` of a row. Columns `is_…` are 0 or 1. A column without a description contains the field of the record of that name.

/** The tables as the migrations leave them. Columns that a migration adds to the baseline are added here. */
export interface Tables extends RowsOfTables<typeof recordTables>, RowsOfTables<typeof administrationTables> {
  /** The sum of the rows of a project is what it stores. Triggers count completions, responses and files as they are stored, changed and deleted. */
  readonly modelwire_storage_counters: { readonly project_id: StoredText; readonly bytes: number };
  /** The words of completions, which can be searched. A row is deleted with its completion. */
  readonly modelwire_completion_words: CompletionWordsRow;
}

/** Exported, because declarations of other modules name it. */
export interface CompletionWordsRow {
  /** Only of SQLite: `created_at` and `completion_seq` in one number, so that the index is in page order. */
  readonly rowid: number;
  /** Only of PostgreSQL. */
  readonly completion_seq: number;
  readonly created_at: number;
  /** As `SearchSyntax` writes them. */
  readonly words: string;
}
