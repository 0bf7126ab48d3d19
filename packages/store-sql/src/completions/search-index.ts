import type { SearchTerm } from '@modelwire/ports';
import { digest } from './term.ts';

/** How a database writes the words of a completion, and a search for them. Words contain no character that has a meaning in either. */
export interface SearchSyntax {
  /** The words of the texts of a completion. */
  document(project: string, texts: readonly (readonly string[])[]): string;
  query(project: string, terms: readonly SearchTerm[]): string;
}

/** Characters for private use, which no word contains. */
const projectMark = '\ue000';
/** Between two texts: no term matches across it. */
const boundary = '\ue001';

/** A word that all completions of a project have. */
const projectWord = (project: string): string =>
  projectMark + Buffer.from(digest([project]), 'base64url').toString('hex');

const allWords = (project: string, texts: readonly (readonly string[])[]): readonly string[] => [
  projectWord(project),
  ...texts.flatMap((words) => [boundary, ...words]),
];

/** FTS5. */
export const sqliteSearch: SearchSyntax = {
  document: (project, texts) => allWords(project, texts).join(' '),
  query: (project, terms) =>
    [{ words: [projectWord(project)], isPrefix: false }, ...terms]
      .map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`)
      .join(' AND '),
};

/** `tsvector` and `tsquery`. */
export const postgresSearch: SearchSyntax = {
  document: (project, texts) =>
    allWords(project, texts)
      .map((word, index) => `'${word}':${index + 1}`)
      .join(' '),
  query: (project, terms) =>
    [{ words: [projectWord(project)], isPrefix: false }, ...terms]
      .map(({ words, isPrefix }) => {
        const quoted = words.map((word) => `'${word}'`);
        return `(${quoted.join(' <-> ')}${isPrefix ? ':*' : ''})`;
      })
      .join(' & '),
};
