import type { Batch, BatchCreateParams } from '@modelwire/schema/types';
import { startBatch } from '../../batches/start-batch.ts';
import { reservedKeys } from '../../batches/started-batches.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { JsonReply } from '../../http/reply.ts';

/** POST /batches */
export async function createBatch(
  call: Pick<Call<BatchCreateParams>, 'body' | 'principal'>,
  server: ServerContext,
): Promise<JsonReply<Batch>> {
  const reserved = Object.keys(call.body.metadata ?? {}).find((key) => reservedKeys.has(key));
  if (reserved !== undefined)
    throw invalid('metadata', `Invalid value for 'metadata': the key '${reserved}' is reserved.`);
  return { status: 200, body: await startBatch(call, server) };
}
