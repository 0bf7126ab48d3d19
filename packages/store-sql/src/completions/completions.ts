import type { ChatCompletionStoredMessage, Metadata } from '@modelwire/schema/types';
import { yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import { searchedWords, summarizeCompletion } from '@modelwire/ports/internal';
import type {
  CompletionQuery,
  CompletionReader,
  CompletionRecord,
  CompletionStore,
  Page,
  PageQuery,
  StoredCompletion,
} from '@modelwire/ports';
import { completionQueries } from './completion-queries.ts';
import { pageOf } from '../query/pages.ts';
import type { Cursor } from '../query/pages.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import { isPostgres } from '../query/query-builder.ts';
import { keysIn } from '../query/record-key.ts';
import { serialize } from '../query/serialized-json.ts';
import { postgresSearch, sqliteSearch } from './search-index.ts';
import { finishTerm, keyTerm, modelTerm, pairTerms, projectTerm } from './term.ts';
import type { WalkRange } from './walk-range.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { markAsFreeingSpace, transaction } from '../database/transaction.ts';

/** Reads the rows of the pages of lists. */
function pageReader({ database, db }: StoreContext) {
  const queries = completionQueries(db);
  const syntax = isPostgres(db) ? postgresSearch : sqliteSearch;

  /** Sorts terms by how rare they are in the range. The first is scanned; the others are looked up for each of its rows. */
  async function rarestFirst(terms: readonly string[], range: WalkRange): Promise<readonly string[]> {
    if (terms.length < 2) return terms;
    const samples = await database.scan(queries.sampleTerms({ terms, ...range }));
    const direction = range.order === 'asc' ? 1 : -1;
    return samples
      .map(({ index, count, last }) => ({ term: terms[index] ?? '', count, distance: direction * last }))
      .toSorted((a, b) => a.count - b.count || b.distance - a.distance)
      .map(({ term }) => term);
  }

  /** The rows of a project after a cursor: one more than a page has. */
  return async (name: string, query: CompletionQuery, content: Content, cursor: Cursor | undefined) => {
    const filters = filterTerms(name, query);
    const range = rangeOf(query, cursor);
    const search = query.search && syntax.query(name, query.search);
    const walked = filters.length > 0 ? filters : [projectTerm(name)];
    const terms = search === undefined ? await rarestFirst(walked, range) : filters;
    const project_id = toStored(name);
    return database.scan(queries.page({ project_id, search, terms, content, ...range, limit: query.limit + 1 }));
  };
}

type Content = 'bodies' | 'records' | 'summaries';
type AllContent = Exclude<Content, 'records'>;

/** Creates the reader of the completions of all projects. @param completionsOf Those of one. */
export function allCompletions(context: StoreContext, completionsOf: PerProject<CompletionStore>): CompletionReader {
  const { database, db } = context;
  const queries = completionQueries(db);
  const readRows = pageReader(context);

  /** The first rows of each project, merged. Projects are read one after the other, so that other queries come between them. */
  async function mergedRows(query: CompletionQuery, content: AllContent, cursor: Cursor | undefined) {
    const { limit, order } = query;
    const sign = order === 'asc' ? 1 : -1;
    let first: (CompletionRow & Cursor & { readonly project_id: StoredText })[] = [];
    for (const { project_id } of await database.scan(queries.projects({}))) {
      const last = first[limit];
      // Rows beyond a full page are not read.
      const bound =
        order === 'asc' ? { createdBefore: last && last.created_at + 1 } : { createdFrom: last?.created_at };
      const rows = await readRows(fromStored(project_id), last ? { ...query, ...bound } : query, content, cursor);
      first = [...first, ...rows.map((row) => ({ ...row, project_id }))]
        .toSorted((a, b) => sign * (a.created_at - b.created_at || a.seq - b.seq))
        .slice(0, limit + 1);
    }
    return first;
  }

  async function list(query: CompletionQuery, content: AllContent): Promise<Page<StoredCompletion> | undefined> {
    const { after, limit } = query;
    const [cursor] = after === undefined ? [] : await database.read(queries.cursorOfAll({ id: toStored(after) }));
    if (after !== undefined && !cursor) return undefined;
    // Filters are indexed by project.
    const rows =
      query.search !== undefined || filterTerms('', query).length > 0
        ? await mergedRows(query, content, cursor)
        : await database.scan(queries.pageOfAll({ content, ...rangeOf(query, cursor), limit: limit + 1 }));
    const { items, hasMore } = pageOf(rows, limit);
    return { items: items.map((row) => ({ ...completionOf(row), project_id: fromStored(row.project_id) })), hasMore };
  }

  async function projectOf(id: string): Promise<string | undefined> {
    const [found] = await database.read(queries.projectOf({ id: toStored(id) }));
    return found && fromStored(found.project_id);
  }

  return {
    list: (query) => list(query, 'bodies'),
    listSummaries: (query) => list(query, 'summaries'),
    async get(id) {
      const project = await projectOf(id);
      const completion = project === undefined ? undefined : await completionsOf(project).get(id);
      return completion && { ...completion, project_id: project };
    },
    async messages(id, query) {
      const project = await projectOf(id);
      return project === undefined ? undefined : completionsOf(project).messages(id, query);
    },
  };
}

/** Creates the stores of completions, one per project. */
export function completionStores(context: StoreContext): PerProject<CompletionStore> {
  const { database, db, withinLimit, canSearch } = context;
  const queries = completionQueries(db);
  const syntax = isPostgres(db) ? postgresSearch : sqliteSearch;
  const readRows = pageReader(context);

  return (name) => {
    const keyOf = keysIn(name);
    const project_id = toStored(name);

    /** A page; undefined when `after` is unknown. */
    async function pageRows(query: CompletionQuery, content: Content) {
      const { after, limit } = query;
      const [cursor] = after === undefined ? [] : await database.read(queries.cursor(keyOf(after)));
      if (after !== undefined && !cursor) return undefined;
      return pageOf(await readRows(name, query, content, cursor), limit);
    }
    async function list(query: CompletionQuery, content: 'bodies' | 'summaries') {
      const page = await pageRows(query, content);
      return page && { ...page, items: page.items.map(completionOf) };
    }

    return {
      async append(record, limit) {
        const { completion, messages } = record;
        const { id, created, model, metadata, api_key_id, choices } = completion;
        const finishReason = choices[0]?.finish_reason;
        const terms = [
          projectTerm(name),
          ...filterTerms(name, { model, metadata, apiKeyId: api_key_id, finishReason }),
        ];
        const key = keyOf(id);
        const body = await serialize({ ...completion, metadata: null });
        const sent = await serialize(messages);
        const unit = [
          queries.insert({
            ...key,
            created_at: created,
            metadata: JSON.stringify(metadata),
            body: body.text,
            messages: sent.text,
            bytes: body.bytes + sent.bytes,
          }),
          queries.insertTerms({ ...key, terms }),
          queries.insertSummary({
            ...key,
            summary: JSON.stringify({ ...summarizeCompletion(completion), metadata: null }),
          }),
          ...(canSearch ? [queries.insertWords({ ...key, words: syntax.document(name, searchedWords(record)) })] : []),
        ];
        await transaction(database, withinLimit(project_id, limit, unit));
      },

      list: (query) => list(query, 'bodies'),
      listSummaries: (query) => list(query, 'summaries'),
      async listRecords(query) {
        const page = await pageRows(query, 'records');
        return page && { ...page, items: page.items.map(recordOf) };
      },

      async get(id) {
        const [row] = await database.read(queries.get(keyOf(id)));
        return row && completionOf(row);
      },

      async setMetadata(id, metadata) {
        const key = keyOf(id);
        const terms = pairTerms(name, metadata);
        const [[row]] = await database.write([
          queries.setMetadata({ ...key, metadata: JSON.stringify(metadata) }),
          queries.deletePairTerms(key),
          ...(terms.length === 0 ? [] : [queries.insertTerms({ ...key, terms })]),
        ]);
        return row && completionOf(row);
      },

      async delete(id) {
        const [deleted] = await database.write([markAsFreeingSpace(queries.delete(keyOf(id)))]);
        return deleted.length > 0;
      },

      async messages(id, query) {
        const [row] = await database.read(queries.messages(keyOf(id)));
        if (!row) return undefined;
        const messages = messagesOf(row);
        await yieldAfterLarge(row.messages.length);
        return messagesPage(messages, query);
      },
    };
  };
}

interface CompletionRow {
  readonly body: string;
  readonly metadata: string;
}

function completionOf({ body, metadata }: CompletionRow): CompletionRecord['completion'] {
  // What `append` and `setMetadata` wrote.
  return { ...(JSON.parse(body) as StoredCompletion), metadata: JSON.parse(metadata) as Metadata };
}

function messagesOf({ messages }: { readonly messages: string }): ChatCompletionStoredMessage[] {
  // What `append` wrote.
  return JSON.parse(messages) as ChatCompletionStoredMessage[];
}

function recordOf(row: CompletionRow & { readonly messages: string }): CompletionRecord {
  return { completion: completionOf(row), messages: messagesOf(row) };
}

interface Filters extends Pick<CompletionQuery, 'model' | 'metadata'> {
  readonly apiKeyId?: string | null | undefined;
  readonly finishReason?: string | null | undefined;
}

/** The terms of the filters of a query, or of the fields of a completion that can be filtered by. */
function filterTerms(project: string, { model, metadata = {}, apiKeyId, finishReason }: Filters): string[] {
  return [
    ...(model === undefined ? [] : [modelTerm(project, model)]),
    ...(typeof apiKeyId === 'string' ? [keyTerm(project, apiKeyId)] : []),
    ...(typeof finishReason === 'string' ? [finishTerm(project, finishReason)] : []),
    ...pairTerms(project, metadata),
  ];
}

/** The part of the page order from the cursor, or the first time of the query, to its last time. */
function rangeOf({ order, createdFrom, createdBefore }: CompletionQuery, cursor: Cursor | undefined): WalkRange {
  // `seq` begins at 1: the position 0 of a second is before all its completions.
  const [first, end] = order === 'asc' ? [createdFrom, createdBefore] : [createdBefore, createdFrom];
  const isOutside =
    first !== undefined && (!cursor || (order === 'asc' ? cursor.created_at < first : cursor.created_at >= first));
  return { order, end, cursor: isOutside ? { created_at: first, seq: 0 } : cursor };
}

function messagesPage(
  messages: readonly ChatCompletionStoredMessage[],
  { after, limit, order }: PageQuery,
): Page<ChatCompletionStoredMessage> | undefined {
  const ordered = order === 'asc' ? messages : messages.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  return after !== undefined && from === 0 ? undefined : pageOf(ordered.slice(from, from + limit + 1), limit);
}
