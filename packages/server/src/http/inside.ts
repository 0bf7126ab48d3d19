import type { Parsed, TextFields } from '@modelwire/schema';
import { errorBody, toRequestError } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { Kit } from '../context.ts';
import { noFiles } from '../call.ts';
import type { Call, Entry } from '../call.ts';
import { checked } from './checked.ts';
import { logFailure } from './failure.ts';
import type { Inside } from '../internal-dispatch.ts';
import type { Served } from './served.ts';

/** The life of a request without a connection: no key, no limits; parsed, run, answered in the same shape, logged. */
export function inside<Body, Query>(
  served: Served<Body, Query> & {
    readonly method: string;
    readonly path: string;
    readonly query: (fields: TextFields, unknownFields: 'refuse' | 'keep') => Parsed<Query>;
  },
  kit: Kit,
): Inside {
  const { unknownFields } = kit.options;
  const query = served.query([], unknownFields);
  return async ({ principal, body, caller, tier, batchLine, entry: known }) => {
    const began = performance.now();
    const requestId = randomId('req_');
    const { keyId, project } = principal;
    const { method, path: route } = served;
    const entry: Entry = { requestId, method, route, status: 0, durationMs: 0, keyId, project, ...known };
    const endActivity = kit.activity.enter(entry);
    try {
      const call: Call<Body, Query> = {
        requestId,
        method,
        principal,
        params: {},
        query: checked(query),
        body: served.parse ? checked(served.parse(body, unknownFields)) : (undefined as Body),
        files: noFiles,
        caller,
        responseHeaders: {},
        entry,
        tier,
        batchLine,
        header: () => null,
        hold: () => () => undefined,
      };
      const reply = await served.handle(call, kit);
      entry.status = reply.status;
      if (!('body' in reply)) throw new Error('an endpoint streamed where nobody reads');
      return { status: reply.status, requestId, body: reply.body, error: undefined };
    } catch (thrown) {
      const error = toRequestError(caller.reason ?? thrown);
      entry.status = error.status;
      if (caller.reason !== undefined) entry.aborted = true;
      logFailure(entry, error);
      if (caller.reason !== undefined) throw error;
      return { status: error.status, requestId, body: errorBody(error), error };
    } finally {
      endActivity();
      entry.durationMs = performance.now() - began;
      kit.log(entry);
    }
  };
}
