import type { Parsed, TextFields } from '@modelwire/schema';
import type { UsedTier } from '../engine-queue.ts';
import { errorBody, toRequestError } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { Kit } from '../kit.ts';
import type { Principal } from '../ports/authenticator.ts';
import { noFiles } from './call.ts';
import type { Call, Entry } from './call.ts';
import type { Caller } from './caller.ts';
import { checked } from './checked.ts';
import { logFailure } from './failure.ts';
import type { Served } from './served.ts';

/** A request that the server makes to itself, for somebody. */
export interface InsideRequest {
  /** For whom. What is used is counted there; its limits were asked when the work was taken on. */
  readonly principal: Principal;
  /** The parsed JSON body. */
  readonly body: unknown;
  readonly caller: Caller;
  readonly tier: UsedTier;
  /** What the log says beside what it says of every request. */
  readonly entry?: Partial<Entry>;
}

export interface InsideReply {
  readonly status: number;
  readonly requestId: string;
  /** What an HTTP answer would carry. */
  readonly body: unknown;
  /** Why it is no 200. */
  readonly error: RequestError | undefined;
}

/** @throws when the caller was aborted before there was an answer, and only then. */
export type Inside = (request: InsideRequest) => Promise<InsideReply>;

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
  return async ({ principal, body, caller, tier, entry: known }) => {
    const began = performance.now();
    const requestId = randomId('req_');
    const { keyId, project } = principal;
    const { method, path: route } = served;
    const entry: Entry = { requestId, method, route, status: 0, durationMs: 0, keyId, project, ...known };
    try {
      const call: Call<Body, Query> = {
        requestId,
        principal,
        params: {},
        query: checked(query),
        body: served.parse ? checked(served.parse(body, unknownFields)) : (undefined as Body),
        files: noFiles,
        caller,
        entry,
        tier,
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
      entry.durationMs = performance.now() - began;
      kit.log(entry);
    }
  };
}
