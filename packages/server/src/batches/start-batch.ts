import { BATCH_INPUT_MAX_BYTES } from '@modelwire/schema';
import { completionWindowSeconds } from '@modelwire/schema/internal';
import type { Batch, BatchCreateParams } from '@modelwire/schema/types';
import { invalid, unsupportedValue } from '../errors.ts';
import { projectStores } from '../media/files/storage.ts';
import { findStoredFile } from '../media/files/stored-file.ts';
import { nowInSeconds } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import type { Call } from '../call.ts';

type StartCall = Pick<Call<BatchCreateParams>, 'body' | 'principal'>;

/** Stores a batch; a worker processes its lines. @throws a 400 or a 404 for an input or an endpoint that cannot be run. */
export async function startBatch(call: StartCall, server: ServerContext, id?: string): Promise<Batch> {
  const { body, principal } = call;
  checkEndpoint(body.endpoint, server);
  const { batches } = projectStores(call, server);
  await checkInput(call, server);
  const created_at = nowInSeconds(server.clock);
  const batch: Batch = {
    id: id ?? server.createId('batch_'),
    object: 'batch',
    endpoint: body.endpoint,
    model: null,
    errors: null,
    input_file_id: body.input_file_id,
    completion_window: body.completion_window,
    status: 'validating',
    output_file_id: null,
    error_file_id: null,
    created_at,
    in_progress_at: null,
    expires_at: created_at + (completionWindowSeconds(body.completion_window) ?? 0),
    finalizing_at: null,
    completed_at: null,
    failed_at: null,
    expired_at: null,
    cancelling_at: null,
    cancelled_at: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
    metadata: body.metadata ?? {},
  };
  const work = { keyId: principal.keyId, outputExpiresAfter: body.output_expires_after?.seconds };
  await batches.create({ batch, work });
  server.wakeWorker();
  return batch;
}

function checkEndpoint(endpoint: string, server: ServerContext): void {
  if (server.internalDispatches.has(endpoint)) return;
  const supported = [...server.internalDispatches.keys()].map((path) => `'${path}'`).join(', ');
  throw unsupportedValue(
    'endpoint',
    `Unsupported value: 'endpoint' is '${endpoint}'; this server runs batches of ${supported}.`,
  );
}

async function checkInput(call: StartCall, server: ServerContext): Promise<void> {
  const { file } = await findStoredFile(call.body.input_file_id, 'input_file_id', call, server);
  const { purpose, bytes } = file;
  if (purpose !== 'batch') {
    const message = `Invalid value for 'input_file_id': the file has the purpose '${purpose}', not 'batch'.`;
    throw invalid('input_file_id', message);
  }
  if (bytes > BATCH_INPUT_MAX_BYTES) {
    const message = `Invalid value for 'input_file_id': the file is larger than ${BATCH_INPUT_MAX_BYTES} bytes.`;
    throw invalid('input_file_id', message, 'file_too_large');
  }
}
