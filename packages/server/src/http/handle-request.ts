import type { Parsed, TextFields } from '@modelwire/schema';
import { shuttingDown, toRequestError, wrongContentType } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { Kit } from '../context.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import type { RateDecision } from '@modelwire/ports';
import { checkAccess } from './access.ts';
import { authenticate } from './authenticate.ts';
import { noFiles } from '../call.ts';
import type { Call, Entry } from '../call.ts';
import type { Reply } from './reply.ts';
import { Caller, callerLeft } from '../caller.ts';
import { checked } from './checked.ts';
import type { ContractForm } from './forms/contract-form.ts';
import { logFailure } from './failure.ts';
import { claimKey } from './idempotency.ts';
import type { Incoming, Outgoing } from './adapters/incoming.ts';
import { queryReader } from './query.ts';
import { rateHeaders, rateLimited, subjectsOf } from '../limits/rate-limit.ts';
import { isForm } from './forms/read-form.ts';
import { readJson } from './read-json.ts';
import { receiveForm } from './forms/receive-form.ts';
import type { ReceivedForm } from './forms/receive-form.ts';
import { respond, respondError, responseHeaders } from './respond.ts';
import { runIdempotent } from './run-idempotent.ts';
import type { Served } from './served.ts';

/** Where an endpoint is, and how its query is read. */
export interface Place<Query> {
  readonly method: string;
  readonly path: string;
  readonly query: (fields: TextFields, unknownFields: 'refuse' | 'keep') => Parsed<Query>;
  /** The form that the contract lists. */
  readonly form: ContractForm | undefined;
}

/**
 * Handles the requests of one endpoint: identify, authenticate, rate-limit, parse, idempotency, handle, respond, log. Whatever
 * is thrown on the way becomes the one error shape here.
 */
export function createRequestHandler<Body, Query>(
  served: Served<Body, Query> & Place<Query>,
  kit: Kit,
): (incoming: Incoming) => Promise<Outgoing> {
  const { options, inFlight, activity } = kit;
  const readQuery = queryReader((fields) => served.query(fields, options.unknownFields));
  const receive = formReader(served, kit);
  return async (incoming) => {
    const began = performance.now();
    const requestId = randomId('req_');
    const headers = responseHeaders(requestId, kit.cors?.headersFor(incoming.header('origin')));
    const entry: Entry = { requestId, method: served.method, route: served.path, status: 0, durationMs: 0 };
    const caller = new Caller();
    incoming.onLeave(() => caller.abort(callerLeft()));
    const leave = inFlight.enter(caller);
    const endActivity = activity.enter(entry);
    const memory = kit.bodies.reserve();
    const open: Open<Body> = { held: false, form: undefined, mayHaveCreated: false };
    const over = (): void => {
      leave();
      endActivity();
      memory.release();
      entry.durationMs = performance.now() - began;
      if (caller.left) entry.aborted = true;
      kit.log(entry);
    };
    try {
      if (inFlight.isDraining()) throw shuttingDown();
      const found = authenticate(incoming.header('authorization'), options.authenticator);
      const principal = found instanceof Promise ? await found : found;
      entry.keyId = principal.keyId;
      entry.project = principal.project;
      if (served.access !== 'any') checkAccess(principal, served.access);
      const decision = options.rateLimiter?.take(subjectsOf(principal));
      if (decision) count(decision instanceof Promise ? await decision : decision, headers);
      const query = checked(readQuery(incoming.url));
      const key = served.idempotent === true ? incoming.header('idempotency-key') : null;
      const asked = { principal, params: incoming.params };
      // With a key the stored answer comes first: the same request again may be one that the state refuses by now.
      if (served.before && key === null) await served.before(asked, kit);
      let body = undefined as Body;
      let text = '';
      if (receive && isForm(incoming.header('content-type'))) {
        open.form = await receive(incoming, caller, key !== null);
        ({ body, identity: text } = open.form);
      } else if (served.parse) {
        const read = await readJson(incoming, {
          maxBytes: options.maxBodyBytes,
          reserve: (bytes) => memory.add(bytes),
          watch: kit.bodyWatch,
        });
        text = read.text;
        body = checked(served.parse(read.value, options.unknownFields, text));
      } else if (receive) throw wrongContentType('multipart/form-data');
      const call: Call<Body, Query> = {
        requestId,
        method: incoming.method,
        principal,
        params: incoming.params,
        query,
        body,
        files: open.form?.files ?? noFiles,
        caller,
        responseHeaders: headers,
        entry,
        header: incoming.header,
        hold() {
          open.held = true;
          return over;
        },
      };
      open.mayHaveCreated = served.idempotent === true && key === null;
      const reply =
        key === null
          ? await served.handle(call, kit)
          : await runWithKey(key, {
              call,
              incoming,
              text,
              kit,
              async run() {
                await served.before?.(asked, kit);
                return served.handle(call, kit);
              },
            });
      if (open.form && 'kept' in reply && reply.replayed) await open.form.discard();
      entry.status = reply.status;
      if (entry.flagged) headers['x-modelwire-flagged'] = entry.flagged.join(', ');
      headers['openai-processing-ms'] = String(Math.round(performance.now() - began));
      return respond(reply, headers);
    } catch (thrown) {
      await open.form?.discard();
      const error = toRequestError(caller.reason ?? thrown);
      // Official clients retry a 503, and nothing but an idempotency key tells a retry from a second request.
      if (open.mayHaveCreated && isStorageUnavailable(error.cause)) headers['x-should-retry'] = 'false';
      entry.status = error.status;
      logFailure(entry, error);
      return respondError(error, headers);
    } finally {
      if (!open.held) over();
    }
  };
}

/** What a request holds until it is over. */
interface Open<Body> {
  /** Its answer is still being sent. */
  held: boolean;
  form: ReceivedForm<Body> | undefined;
  /** A creation without an idempotency key has been handed to its endpoint: it must not be retried when its outcome is unknown. */
  mayHaveCreated: boolean;
}

function formReader<Body, Query>({ parseForm, form }: Served<Body, Query> & Place<Query>, kit: Kit) {
  if (!parseForm || !form) return undefined;
  const { unknownFields } = kit.options;
  const place = { ...form, parse: (fields: TextFields) => parseForm(fields, unknownFields) };
  return (incoming: Incoming, caller: Caller, identify: boolean): Promise<ReceivedForm<Body>> =>
    receiveForm(incoming, place, { kit, caller, identify });
}

function count(decision: RateDecision, headers: Record<string, string>): void {
  if (decision.requests ?? decision.tokens) Object.assign(headers, rateHeaders(decision));
  if (decision.retryAfterMs > 0) throw rateLimited(decision);
}

interface Run {
  readonly call: Pick<Call, 'principal'>;
  readonly incoming: Incoming;
  readonly text: string;
  readonly run: () => Reply | Promise<Reply>;
  readonly kit: Kit;
}

/** Without stores a key has nowhere to be kept: then it promises nothing, as everywhere where it is not known. */
async function runWithKey(key: string, { call, incoming, text, run, kit }: Run): Promise<Reply> {
  const store = kit.options.stores?.project(call.principal.project).idempotency;
  if (!store) return run();
  const asked = { method: incoming.method, url: incoming.url, body: text };
  const claim = await claimKey(store, key, asked, kit.options.idempotency);
  if ('answer' in claim) return { status: claim.answer.status, kept: claim.answer, replayed: true };
  return runIdempotent(claim.claimed, run, kit.options.report);
}
