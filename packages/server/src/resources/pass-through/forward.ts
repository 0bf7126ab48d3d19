import type { PassThroughTarget } from '@modelwire/ports';
import { admit } from '../../admission/admit.ts';
import { noSlot, noTokens, notInspected } from '../../admission/work.ts';
import { reportUpstreamTo } from '../../call.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, unknownPath } from '../../errors.ts';
import { unknownModel } from '../../generation/require-model.ts';
import { requestHeaders } from './forwarded-headers.ts';
import { pathBelowVersion } from './pass-through-path.ts';
import {
  ambiguousModel,
  uncertainModel,
  mayNameModelInHeader,
  assertModelOnlyInBody,
  needsCertainModel,
} from './certain-model.ts';
import { createForwardedUsage } from './forwarded-usage.ts';
import type { BytesReply } from '../../http/reply.ts';
import type { Forwarding } from './receive-body.ts';
import { receiveBody } from './receive-body.ts';
import { forwardReply } from './forward-reply.ts';

/** The forwarded request and its upstream. */
interface ForwardedRequest {
  readonly target: PassThroughTarget;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** Undefined for a body that is passed on in chunks. */
  readonly bodyBytes: number | undefined;
}

const advice = '(by the size of the body, and its output limit). Send less, or lower the output limit.';
/** Longer model names are truncated in the log. */
const maxLoggedCharacters = 200;
/** Of a request that uses none, or whose reply does not tell. */
const oneToken = { prompt: 1, requiredOutput: 0, maxOutput: 0, outputToAdmit: 0 };

/**
 * Forwards a request to a path under `/v1` that this server does not serve, of any method, to the upstream that serves its model, and
 * relays the reply. JSON is received as a whole, since it names the model; other bodies and replies are passed on as they arrive.
 */
export async function forwardRequest(
  call: Call,
  server: ServerContext,
  { passThrough, suggestPath }: Pick<Forwarding, 'passThrough' | 'suggestPath'>,
): Promise<BytesReply> {
  const { client, logRecord, request, method } = call;
  const [path, query] = pathAndQuery(request.url);
  // The router has checked the path of the parsed URL, which has no `#` and what follows; this one is sent.
  if (pathBelowVersion(`/v1${path}`) !== path) throw unknownPath(method, '/v1/{path}');
  logRecord.path = path;
  const abort = new AbortController();
  const signal = AbortSignal.any([client.signal, abort.signal]);
  const usage = createForwardedUsage({
    method,
    path,
    contentType: call.header('content-type'),
    hasBody: bodyBytesOf(call) !== 0,
  });
  const admission = await admit(call, server, {
    isStored: false,
    async find(access) {
      if (needsCertainModel(access.policy)) assertModelOnlyInBody(path, query, passThrough, server);
      let requested: string | undefined;
      const onModel = (model: string): void => {
        requested = model;
        logRecord.model = model.slice(0, maxLoggedCharacters);
      };
      const forwarding = { call, server, passThrough, suggestPath, access, path, query, usage, abort, signal, onModel };
      const forwarded = await prepareForwarding(forwarding);
      const { upstream } = forwarded.target;
      logRecord.upstream = upstream;
      const resolved = (): string | undefined =>
        requested === undefined ? undefined : resolveAlias(server, requested);
      // Names that no upstream lists are not counted separately: clients could invent any number of them.
      const metered = (): string => {
        const model = resolved();
        return model !== undefined && passThrough.find(path, model)?.model !== undefined ? model : upstream;
      };
      return { model: { requested, id: resolved() ?? upstream, metered }, forwarded };
    },
    load: ({ forwarded }) => ({
      demand: {
        kind: 'tokens',
        estimate: () => usage?.estimate(forwarded.bodyBytes) ?? oneToken,
        advice,
      },
      usage: usage ?? noTokens,
      forwarded,
    }),
    inspect: notInspected,
    slot: noSlot,
  }).catch((error: unknown) => {
    // What was not read of the body is not needed.
    abort.abort(error);
    throw error;
  });
  try {
    admission.reach();
    const { target, body, bodyBytes: _, ...rest } = admission.loaded.forwarded;
    const reply = await passThrough.forward(target, {
      ...rest,
      body: body && usage ? usage.request(body) : body,
      method,
      requestId: call.requestId,
      reportFailure: (reason) => reportUpstreamTo(logRecord)(target.upstream, reason),
      observer: call.observation,
      signal,
    });
    const onEnd = (failure: unknown): void => {
      if (failure !== undefined) admission.fail(failure);
      admission.end();
      abort.abort(new Error('the reply has ended'));
    };
    if (reply.status >= 400) admission.fail(new Error(`the upstream answered ${reply.status}`));
    return await forwardReply({ call, server, target, reply, usage, onEnd });
  } catch (error) {
    admission.fail(error);
    admission.end();
    abort.abort(error);
    throw error;
  }
}

/** Undefined for a body that is sent in chunks. */
function bodyBytesOf(call: Call): number | undefined {
  if (call.header('transfer-encoding') !== null) return undefined;
  return Number(call.header('content-length')) || 0;
}

/** Path below the version and query of a URL. */
function pathAndQuery(url: string): readonly [path: string, query: string] {
  // The adapter for web-standard requests gives an absolute URL.
  const relative = url.startsWith('/') ? url : url.slice(new URL(url).origin.length);
  const queryStart = relative.indexOf('?');
  const path = queryStart === -1 ? relative : relative.slice(0, queryStart);
  return [path.slice('/v1'.length), queryStart === -1 ? '' : relative.slice(queryStart)];
}

async function prepareForwarding(forwarding: Forwarding): Promise<ForwardedRequest> {
  const { call, server, passThrough, access, path, query } = forwarding;
  const { policy } = access;
  const isCertain = needsCertainModel(policy);
  const headersToForward = [...call.request.headers()].filter(([name]) => !isCertain || !mayNameModelInHeader(name));
  const { 'content-length': _, ...headers } = requestHeaders(
    headersToForward,
    call.header('authorization'),
    call.header('x-api-key'),
  );
  const [queryModel, ...otherModels] = new URLSearchParams(query).getAll('model');
  if (otherModels.length > 0) throw ambiguousModel();
  const modelDecides =
    !passThrough.find(path) ||
    passThrough.mayRenameModels ||
    server.options.modelAliases.size > 0 ||
    policy.allowedModels.length > 0 ||
    policy.budgetSubjects.length > 0;
  const sentBytes = bodyBytesOf(call);
  const received = sentBytes === 0 ? undefined : await receiveBody({ ...forwarding, modelDecides });
  const model = received?.model;
  if (model !== undefined && queryModel !== undefined && model !== queryModel)
    throw isCertain ? uncertainModel() : ambiguousModel();
  // The upstream may not read the query of a request that has a body.
  if (isCertain && received && model === undefined && queryModel !== undefined) throw uncertainModel();
  const { target, name } = targetOf(forwarding, model ?? queryModel);
  const body = await received?.send(model === undefined ? undefined : name);
  return {
    target,
    path: path + (model !== undefined || name === undefined ? query : withModel(query, name)),
    headers: body?.byteLength === undefined ? headers : { ...headers, 'content-length': String(body.byteLength) },
    body: body?.chunks,
    bodyBytes: body?.byteLength ?? sentBytes,
  };
}

/**
 * The upstream for the model that a request names, and the model's name there if that is another one.
 *
 * @throws a 404 for a model that no upstream serves, a 503 where that is unknown at present, a 400 where a model has to decide and none is named.
 */
function targetOf(
  { call, server, passThrough, suggestPath, path, onModel }: Forwarding,
  requestedModel: string | undefined,
): { readonly target: PassThroughTarget; readonly name: string | undefined } {
  const model = requestedModel === undefined ? undefined : resolveAlias(server, requestedModel);
  if (requestedModel !== undefined) onModel(requestedModel);
  const target = passThrough.find(path, model);
  if (target)
    return {
      target,
      name: target.model === requestedModel ? undefined : target.model,
    };
  if (requestedModel !== undefined) throw unknownModel(requestedModel, server);
  if (call.method === 'GET' || call.method === 'HEAD') {
    throw unknownPath(call.method, `/v1${path}`, suggestPath(call.method, `/v1${path}`));
  }
  throw invalid(
    'model',
    "Missing required parameter: 'model'. It decides which upstream the request is forwarded to.",
    'missing_required_parameter',
  );
}

const resolveAlias = ({ modelAliases }: ServerContext, model: string): string => modelAliases.targetOf(model) ?? model;

function withModel(query: string, name: string): string {
  return query.replace(/([?&]model=)[^&]*/, (_, before: string) => before + encodeURIComponent(name));
}
