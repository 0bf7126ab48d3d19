import type { Batch, BatchCreateParams } from '@modelwire/schema/types';
import { startBatch } from '../../batches/start-batch.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { JsonReply } from '../../http/reply.ts';

/** POST /batches */
export async function createBatch(
  call: Pick<Call<BatchCreateParams>, 'body' | 'principal'>,
  server: ServerContext,
): Promise<JsonReply<Batch>> {
  return { status: 200, body: await startBatch(call, server) };
}
