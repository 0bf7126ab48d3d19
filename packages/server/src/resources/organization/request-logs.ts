import type { RequestRecord } from '@modelwire/ports';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import type { LoggedRequest } from '@modelwire/schema/types';
import type { HandlersOf } from '../../http/implement.ts';
import { listOf, unknownAfter } from '../../http/list.ts';
import { objectInPath } from '../../http/object-in-path.ts';
import { storesOf } from '../../media/files/storage.ts';

const inPath = objectInPath('logged request', 'request_id');

export const requestLogs: HandlersOf<'organization.request_logs'> = {
  async 'organization.request_logs.list'({ query }, server) {
    await server.requestLog.flush();
    const { requestLog } = storesOf(server);
    if (!requestLog) return { status: 200, body: listOf({ items: [], hasMore: false }) };
    const page = await requestLog.list({
      after: query.after,
      limit: query.limit ?? PAGE_LIMIT_DEFAULT,
      order: query.order ?? 'desc',
      projects: query.project_ids,
      keyIds: query.api_key_ids,
      models: query.models,
      outcomes: query.outcomes,
      from: query.start_time,
      to: query.end_time,
    });
    const { items, hasMore } = page ?? unknownAfter(query.after);
    return { status: 200, body: listOf({ items: items.map(wireRequest), hasMore }) };
  },

  async 'organization.request_logs.retrieve'(call, server) {
    await server.requestLog.flush();
    const logged = (await storesOf(server).requestLog?.get(inPath.id(call))) ?? inPath.throwNotFound(call);
    return { status: 200, body: wireRequest(logged) };
  },
};

function wireRequest(logged: RequestRecord): LoggedRequest {
  const { inputTokens, outputTokens, cachedTokens, costMicros, currency } = logged;
  return {
    id: logged.id,
    object: 'organization.request_log',
    created_at: logged.created,
    project_id: logged.project,
    api_key_id: logged.keyId,
    endpoint: logged.endpoint,
    model: logged.model === '' ? null : logged.model,
    outcome: logged.outcome,
    status: logged.status,
    error_code: logged.error,
    stream: logged.isStreamed,
    duration_ms: logged.durationMs,
    first_token_ms: logged.firstTokenMs,
    usage:
      inputTokens === null
        ? null
        : { input_tokens: inputTokens, output_tokens: outputTokens ?? 0, input_cached_tokens: cachedTokens ?? 0 },
    cost: costMicros === null || currency === null ? null : { value: costMicros / 1e6, currency },
    response_id: logged.response,
    batch_id: logged.batch,
  };
}
