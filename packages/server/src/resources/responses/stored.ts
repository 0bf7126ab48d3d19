import type { ResponseRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState } from '../../errors.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import { projectStores } from '../../media/files/storage.ts';
import { streamStoredResponse } from './stream-stored.ts';
import type { Handlers, HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const inPath = objectInPath('response', 'response_id');

export const storedResponses: Pick<Handlers, 'responses.retrieve' | 'responses.delete' | 'responses.cancel'> &
  HandlersOf<'responses.input_items'> = {
  async 'responses.retrieve'(call, server) {
    const record = await responseOf(call, server);
    return call.query.stream
      ? streamStoredResponse({ record, query: call.query }, call, server)
      : { status: 200, body: record.response };
  },

  /** Stops a response that runs in the background. */
  async 'responses.delete'(call, server) {
    const id = inPath.id(call);
    if (!(await projectStores(call, server).responses.delete(id))) inPath.throwNotFound(call);
    onRemoved(id, server);
    return { status: 200, body: { id, object: 'response', deleted: true } };
  },

  /** A response that has ended is returned unchanged. */
  async 'responses.cancel'(call, server) {
    const { response } = await responseOf(call, server);
    if (!response.background) {
      throw invalidState(
        `The response '${response.id}' was not created with 'background': close its connection to end a response while it is generated.`,
      );
    }
    if (await projectStores(call, server).responses.cancel(response.id)) onRemoved(response.id, server);
    return { status: 200, body: (await responseOf(call, server)).response };
  },

  async 'responses.input_items.list'(call, server) {
    const query = pageQuery(call.query, 'desc');
    const page = await projectStores(call, server).responses.inputItems(inPath.id(call), query);
    if (!page) await responseOf(call, server);
    return listReply(page, query.after);
  },
};

/** Aborts the job of a response that was cancelled or deleted, and wakes the streams that follow it. */
function onRemoved(id: string, { runningJobs, openStreams }: ServerContext): void {
  runningJobs.abort(id);
  openStreams.notify(id);
}

/** @throws a 404. */
async function responseOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<ResponseRecord> {
  return (await projectStores(call, server).responses.get(inPath.id(call))) ?? inPath.throwNotFound(call);
}
