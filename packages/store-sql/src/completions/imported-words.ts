import type { CompletionRecord } from '@modelwire/ports';
import { searchedWords } from '@modelwire/ports/internal';
import type { TableDescription, TableRow } from '../record-transfer.ts';
import { fromStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import type { SearchSyntax } from './search-index.ts';

/** The words of imported rows of the table `completions`, with which they can be found. */
export function importedWords({ document }: SearchSyntax, { columns }: TableDescription, rows: readonly TableRow[]) {
  return rows.map((row) => {
    const at = (column: string) => row[columns.indexOf(column)];
    // What `append` wrote.
    const record = {
      completion: JSON.parse(String(at('body'))) as CompletionRecord['completion'],
      messages: JSON.parse(String(at('messages'))) as CompletionRecord['messages'],
    };
    return {
      seq: Number(at('seq')),
      createdAt: Number(at('created_at')),
      words: document(fromStored(String(at('project_id')) as StoredText), searchedWords(record)),
    };
  });
}
