import type { ResponseCreateParams, ResponseObject } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported } from '../../errors.ts';
import type { JsonReply } from '../../http/reply.ts';
import type { StreamedReply } from '../../streaming/event-pipe.ts';
import { storedRequestOf } from '../../http/observe-job-run.ts';
import { projectStores } from '../../media/files/storage.ts';
import type { PreparedResponse } from './prepare-response.ts';
import { streamStoredResponse } from './stream-stored.ts';

/** @throws a 400 if the response is not stored. */
export function assertCanRunInBackground({ base }: PreparedResponse): void {
  if (!base.store) {
    throw unsupported(
      'background',
      "Unsupported parameter: 'background' needs 'store': a background response is stored to be retrieved.",
    );
  }
}

/** Stores a queued response with its job, and returns it, or the stream of its events. A worker generates it. */
export async function createBackgroundResponse(
  { body, base, input }: PreparedResponse,
  call: Call<ResponseCreateParams>,
  server: ServerContext,
): Promise<JsonReply<ResponseObject> | StreamedReply> {
  const isStreamed = body.stream === true;
  const response: ResponseObject = {
    ...base,
    status: 'queued',
    service_tier: 'default',
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const record = {
    response,
    isStreamed,
    work: await storedRequestOf(call, body),
  };
  const created = { type: 'response.created', sequence_number: 0, response };
  const segment = isStreamed ? { first: 0, events: [JSON.stringify(created)] } : undefined;
  const queued = { ...record, input, segment };
  const { responses } = projectStores(call, server);
  await server.storageQuota.write(call.principal, (limit) => responses.create(queued, limit));
  call.logRecord.model = body.model;
  call.logRecord.response = response.id;
  server.wakeWorker();
  if (!isStreamed) return { status: 200, body: response };
  const { include_obfuscation } = body.stream_options ?? {};
  return streamStoredResponse({ record, query: { include_obfuscation } }, call, server);
}
