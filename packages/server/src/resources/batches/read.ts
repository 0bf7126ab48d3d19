import type { Batch, BatchList, BatchListParams } from '@modelwire/schema/types';
import { notFound } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import type { ServerContext } from '../../context.ts';
import type { BatchRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { listReply, pageQuery } from '../../http/list.ts';

/** GET /batches: newest first. */
export async function listBatches(
  call: Call<undefined, BatchListParams>,
  server: ServerContext,
): Promise<JsonReply<BatchList>> {
  const { after, limit } = call.query;
  const query = pageQuery({ after, limit }, 'desc');
  return listReply(await projectStores(call, server).batches.list(query), query.after);
}

/** GET /batches/{batch_id} */
export async function retrieveBatch(call: Call, server: ServerContext): Promise<JsonReply<Batch>> {
  return { status: 200, body: (await batchOf(call, server)).batch };
}

/** The batch that the path names. @throws a 404, which does not reveal whether it belongs to another project. */
export async function batchOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<BatchRecord> {
  const id = call.params['batch_id'] ?? '';
  const record = await projectStores(call, server).batches.get(id);
  if (!record) throw notFound('batch', id, 'batch_id');
  return record;
}
