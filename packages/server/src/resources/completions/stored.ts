import { jsonInteger } from '@modelwire/core';
import type {
  ChatCompletionDeleted,
  ChatCompletionList,
  ChatCompletionListParams,
  ChatCompletionMessageList,
  ChatCompletionMessageListParams,
  ChatCompletionRetrieveParams,
  ChatCompletionUpdateParams,
  StoredChatCompletion,
} from '@modelwire/schema/types';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import { notFoundThrower, queryTimeout } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import type { CompletionStore, StoredCompletion } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { listOf, listReply, pageQuery, unknownAfter } from '../../http/list.ts';
import { projectStores } from '../../media/files/storage.ts';

/** GET /chat/completions (API: List chat completions). */
export async function listChatCompletions(
  call: Call<undefined, ChatCompletionListParams>,
  server: ServerContext,
): Promise<JsonReply<ChatCompletionList>> {
  const { model, metadata, after, limit = PAGE_LIMIT_DEFAULT, order = 'asc', view = 'full' } = call.query;
  const { start_time: createdFrom, end_time: createdBefore } = call.query;
  const completions = completionsOf(call, server);
  const query = { model, metadata, createdFrom, createdBefore, after, limit, order };
  const pendingPage = view === 'summary' ? completions.listSummaries(query) : completions.list(query);
  const page = await pendingPage.catch((error: unknown) => {
    throw isStorageUnavailable(error) && error.outage.isSlowQuery ? listTimeout(call.query, error) : error;
  });
  return {
    status: 200,
    body: listOf(page ? { ...page, items: page.items.map((item) => publicCompletion(item)) } : unknownAfter(after)),
  };
}

/** GET /chat/completions/{completion_id} */
export async function retrieveChatCompletion(
  call: Call<undefined, ChatCompletionRetrieveParams>,
  server: ServerContext,
): Promise<JsonReply<StoredChatCompletion>> {
  const id = idOf(call);
  const completion = (await completionsOf(call, server).get(id)) ?? throwNotFound(id);
  return { status: 200, body: publicCompletion(completion, call.query.include) };
}

/** POST /chat/completions/{completion_id} (API: Update chat completion). */
export async function updateChatCompletion(
  call: Call<ChatCompletionUpdateParams>,
  server: ServerContext,
): Promise<JsonReply<StoredChatCompletion>> {
  const id = idOf(call);
  const completion = await completionsOf(call, server).setMetadata(id, call.body.metadata);
  return { status: 200, body: publicCompletion(completion ?? throwNotFound(id)) };
}

/** DELETE /chat/completions/{completion_id} */
export async function deleteChatCompletion(
  call: Call,
  server: ServerContext,
): Promise<JsonReply<ChatCompletionDeleted>> {
  const id = idOf(call);
  if (!(await completionsOf(call, server).delete(id))) throwNotFound(id);
  return { status: 200, body: { id, object: 'chat.completion.deleted', deleted: true } };
}

/** GET /chat/completions/{completion_id}/messages (API: Get chat messages). */
export async function listChatMessages(
  call: Call<undefined, ChatCompletionMessageListParams>,
  server: ServerContext,
): Promise<JsonReply<ChatCompletionMessageList>> {
  const id = idOf(call);
  const query = pageQuery(call.query, 'asc');
  const completions = completionsOf(call, server);
  const page = await completions.messages(id, query);
  if (!page && !(await completions.get(id))) throwNotFound(id);
  return listReply(page, query.after);
}

function listTimeout({ metadata, model }: ChatCompletionListParams, cause: unknown): Error {
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

function completionsOf(call: Pick<Call, 'principal'>, server: ServerContext): CompletionStore {
  return projectStores(call, server).completions;
}

function idOf({ params }: Pick<Call, 'params'>): string {
  return params['completion_id'] ?? '';
}

/** Not stored, deleted, or of another project; the error does not reveal which. */
const throwNotFound = notFoundThrower('stored chat completion', 'completion_id');
