import type {
  ResponseDeleted,
  ResponseItemList,
  ResponseItemListParams,
  ResponseObject,
  ResponseRetrieveParams,
} from '@modelwire/schema/types';
import type { ResponseRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { notFoundThrower, invalidState } from '../../errors.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import type { JsonReply } from '../../http/reply.ts';
import type { StreamedReply } from '../../streaming/event-pipe.ts';
import { projectStores } from '../../media/files/storage.ts';
import { streamStoredResponse } from './stream-stored.ts';

/** GET /responses/{response_id} */
export async function retrieveResponse(
  call: Call<undefined, ResponseRetrieveParams>,
  server: ServerContext,
): Promise<JsonReply<ResponseObject> | StreamedReply> {
  const record = await responseOf(call, server);
  return call.query.stream
    ? streamStoredResponse({ record, query: call.query }, call, server)
    : { status: 200, body: record.response };
}

/** DELETE /responses/{response_id}: stops a response that runs in the background. */
export async function deleteResponse(call: Call, server: ServerContext): Promise<JsonReply<ResponseDeleted>> {
  const id = idOf(call);
  if (!(await projectStores(call, server).responses.delete(id))) throwNotFound(id);
  onRemoved(id, server);
  return { status: 200, body: { id, object: 'response', deleted: true } };
}

/** POST /responses/{response_id}/cancel: a response that has ended is returned unchanged. */
export async function cancelResponse(call: Call, server: ServerContext): Promise<JsonReply<ResponseObject>> {
  const { response } = await responseOf(call, server);
  if (!response.background) {
    throw invalidState(
      `The response '${response.id}' was not created with 'background': close its connection to end a response while it is generated.`,
    );
  }
  if (await projectStores(call, server).responses.cancel(response.id)) onRemoved(response.id, server);
  return { status: 200, body: (await responseOf(call, server)).response };
}

/** Aborts the job of a response that was cancelled or deleted, and wakes the streams that follow it. */
function onRemoved(id: string, { runningJobs, responseEvents }: ServerContext): void {
  runningJobs.abort(id);
  responseEvents.notify(id);
}

/** GET /responses/{response_id}/input_items */
export async function listResponseInputItems(
  call: Call<undefined, ResponseItemListParams>,
  server: ServerContext,
): Promise<JsonReply<ResponseItemList>> {
  const query = pageQuery(call.query, 'desc');
  const page = await projectStores(call, server).responses.inputItems(idOf(call), query);
  if (!page) await responseOf(call, server);
  return listReply(page, query.after);
}

/** @throws a 404 if it does not exist or belongs to another project; the error does not reveal which. */
async function responseOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<ResponseRecord> {
  const id = idOf(call);
  return (await projectStores(call, server).responses.get(id)) ?? throwNotFound(id);
}

function idOf({ params }: Pick<Call, 'params'>): string {
  return params['response_id'] ?? '';
}

const throwNotFound = notFoundThrower('response', 'response_id');
