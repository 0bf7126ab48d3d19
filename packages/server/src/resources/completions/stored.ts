import { jsonInteger } from '@modelwire/core';
import type {
  ChatCompletionListParams,
  ChatCompletionRetrieveParams,
  StoredChatCompletion,
} from '@modelwire/schema/types';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import { invalid, notFound, queryTimeout, unsupportedValue } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import { parseSearch } from '@modelwire/ports/internal';
import type { CompletionReader, CompletionStore, SearchTerm, StoredCompletion } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import { listOf, listReply, pageQuery, unknownAfter } from '../../http/list.ts';
import { projectStores, storesOf } from '../../media/files/storage.ts';
import { replyWithStream } from '../../streaming/completion-stream.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { assertPermitted } from '../../permissions.ts';
import { objectInPath } from '../../http/object-in-path.ts';

/** A stored completion. */
const inPath = objectInPath('stored chat completion', 'completion_id');
const streamInPath = objectInPath('resumable stream', 'completion_id');

export const storedCompletions: Omit<HandlersOf<'chat.completions'>, 'chat.completions.create'> &
  HandlersOf<'chat.completions.messages'> = {
  async 'chat.completions.list'(call, server) {
    const { model, metadata, after, limit = PAGE_LIMIT_DEFAULT, order = 'asc', view = 'full' } = call.query;
    const { start_time: createdFrom, end_time: createdBefore } = call.query;
    const { api_key_id: apiKeyId, finish_reason: finishReason } = call.query;
    const completions = await completionsToRead(call, server);
    const search = call.query.search === undefined ? undefined : termsOf(call.query.search, server);
    const filters = { model, metadata, apiKeyId, finishReason, search, createdFrom, createdBefore };
    const query = { ...filters, after, limit, order };
    const pendingPage = view === 'summary' ? completions.listSummaries(query) : completions.list(query);
    const page = await pendingPage.catch((error: unknown) => {
      throw isStorageUnavailable(error) && error.outage.isSlowQuery ? listTimeout(call.query, error) : error;
    });
    const publicItem = (item: StoredCompletion) => ({ ...publicCompletion(item), ...projectField(call.query) });
    return {
      status: 200,
      body: listOf(page ? { ...page, items: page.items.map(publicItem) } : unknownAfter(after)),
    };
  },

  async 'chat.completions.retrieve'(call, server) {
    const completions = await completionsToRead(call, server);
    const completion = (await completions.get(inPath.id(call))) ?? inPath.throwNotFound(call);
    return {
      status: 200,
      body: { ...publicCompletion(completion, call.query.include), ...projectField(call.query) },
    };
  },

  async 'chat.completions.update'(call, server) {
    const completion = await completionsOf(call, server).setMetadata(inPath.id(call), call.body.metadata);
    return { status: 200, body: publicCompletion(completion ?? inPath.throwNotFound(call)) };
  },

  async 'chat.completions.delete'(call, server) {
    const id = inPath.id(call);
    const { completions, eventStreams } = projectStores(call, server);
    // The stream first: its generation cannot store the completion afterwards.
    const hadStream = await eventStreams.delete(id);
    if (hadStream) {
      server.runningJobs.abort(id);
      server.openStreams.notify(id);
    }
    const wasStored = await completions.delete(id);
    if (!hadStream && !wasStored) inPath.throwNotFound(call);
    return { status: 200, body: { id, object: 'chat.completion.deleted', deleted: true } };
  },

  async 'chat.completions.resume'(call, server) {
    const id = inPath.id(call);
    const stream = await projectStores(call, server).eventStreams.read(id, { after: 0, limit: 1 });
    // The stream of an idempotency key is kept longer, as the reply to requests with the key.
    const isKept = (stream?.endedMsAgo ?? 0) <= server.options.resumableStreams.keepMs;
    if (!stream?.isOfCompletion || !isKept) return streamInPath.throwNotFound(call);
    return replyWithStream({ id, after: call.query.starting_after }, call, server);
  },

  async 'chat.completions.messages.list'(call, server) {
    const id = inPath.id(call);
    const query = pageQuery(call.query, 'asc');
    const completions = await completionsToRead(call, server);
    const page = await completions.messages(id, query);
    if (!page && !(await completions.get(id))) inPath.throwNotFound(call);
    return listReply(page, query.after);
  },
};

/** The most words of a search. */
const maxWords = 64;

function termsOf(search: string, { options: { stores } }: ServerContext): readonly SearchTerm[] {
  if (stores?.canSearch !== true)
    throw unsupportedValue(
      'search',
      "Unsupported value: 'search': this server does not index the text of completions.",
    );
  const terms = parseSearch(search);
  if (terms.length === 0) throw invalid('search', "Invalid 'search': it has no letters or digits to look for.");
  if (terms.flatMap(({ words }) => words).length > maxWords)
    throw invalid('search', `Invalid 'search': it has more than ${maxWords} words.`);
  return terms;
}

function listTimeout({ metadata, model, search }: ChatCompletionListParams, cause: unknown): Error {
  if (search !== undefined)
    return queryTimeout('search', 'Narrow the search: use rarer words, a longer prefix, or a range of time.', cause);
  const keys = Object.keys(metadata ?? {});
  if (keys.length === 0) return queryTimeout(null, 'Ask for fewer completions with `limit`.', cause);
  const names = keys.map((name) => `metadata[${name}]`).join(', ');
  const others = model === undefined ? ', or filter by `model` too' : '';
  return queryTimeout(
    'metadata',
    `Narrow the filter ${names}: use a key and value that fewer completions have${others}.`,
    cause,
  );
}

/** The completion as it is sent. */
function publicCompletion(
  { request_parameters = null, seed, ...completion }: StoredCompletion,
  include: ChatCompletionRetrieveParams['include'] = [],
): StoredChatCompletion {
  return {
    ...completion,
    ...exactSeed(seed),
    ...(include.includes('request_parameters') && { request_parameters }),
  };
}

/** The field `seed`: one that is stored as digits becomes an integer again, which may be too large for a number. */
function exactSeed(seed: StoredCompletion['seed']): object {
  if (seed === undefined) return {};
  return { seed: typeof seed === 'string' ? jsonInteger(BigInt(seed)) : seed };
}

/** The `project_id` of a query that reads in all projects. */
const allProjects = '*';

/** The project of what a query with `project_id` reads. Those of all projects have theirs. */
function projectField({ project_id }: { readonly project_id?: string }): { readonly project_id?: string } {
  return project_id === undefined || project_id === allProjects ? {} : { project_id };
}

/** Those of the project of the query, which only admins can read in another project than that of their key. */
export async function completionsToRead(
  call: Pick<Call, 'principal'> & { readonly query: { readonly project_id?: string | undefined } },
  server: ServerContext,
): Promise<CompletionReader> {
  const { project_id: project = call.principal.project } = call.query;
  if (project === call.principal.project) return completionsOf(call, server);
  assertPermitted(call.principal, 'operate', 'project_id');
  const stores = storesOf(server);
  if (project === allProjects && stores.allCompletions) return stores.allCompletions;
  if (!(await stores.keys.getProject(project))) throw notFound('project', project, 'project_id');
  return stores.project(project).completions;
}

function completionsOf(call: Pick<Call, 'principal'>, server: ServerContext): CompletionStore {
  return projectStores(call, server).completions;
}
