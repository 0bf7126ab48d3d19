import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import type { RecentErrorList } from './api-types.ts';
import { usageFilters } from './usage.ts';

/** Maximum number of entries in a response. */
const maxErrors = 200;

export const errorsQuerySchema = z.strictObject(usageFilters);

/** GET /console/api/errors: the last failed model requests of this replica, newest first. */
export function readRecentErrors(
  { query: { project, key, model } }: Call<undefined, z.output<typeof errorsQuerySchema>>,
  { recentErrors }: ServerContext,
): Reply {
  const matching = recentErrors
    .list()
    .filter(
      (entry) =>
        (project === undefined || entry.project === project) &&
        (key === undefined || entry.keyId === key) &&
        (model === undefined || entry.model === model),
    );
  const body: RecentErrorList = {
    errors: matching.slice(0, maxErrors).map(({ requestId, keyId, upstreamFailure, batch, ...entry }) => ({
      request_id: requestId,
      key: keyId,
      upstream_failure: upstreamFailure ?? null,
      batch: batch ?? null,
      ...entry,
    })),
  };
  return { status: 200, body };
}
