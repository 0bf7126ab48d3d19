import { SpanKind } from '@opentelemetry/api';
import type { Attributes } from '@opentelemetry/api';
import type {
  AttemptOutcome,
  ChatRequest,
  GenerationOutcome,
  ObservedAttempt,
  ObservedGeneration,
  ObservedRequest,
  RequestOutcome,
} from '@modelwire/ports';
import { isInternal } from '../is-internal.ts';
import { BoundedCache } from './bounded-cache.ts';
import { SharedAttributes, SpanDescription } from './span-description.ts';
import type { LazyDescription, LazyAttributes } from './tracing-span.ts';

// The attribute names of the semantic conventions, and our own, which begin with `modelwire.`. Those for generative AI have the status
// development: they can change.

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The maximum length of texts of clients that are kept, such as paths. */
const maxKeptLength = 256;

interface RequestInput {
  readonly method: string;
  readonly path: string;
  readonly scheme: 'http' | 'https';
  readonly route: string | undefined;
  readonly kind: SpanKind;
}

function createRequestDescription({ method, path, scheme, route, kind }: RequestInput): SpanDescription {
  const attributes: Attributes = { 'http.request.method': method, 'url.path': path, 'url.scheme': scheme };
  if (route !== undefined) attributes['http.route'] = route;
  return new SpanDescription(route === undefined ? method : `${method} ${route}`, attributes, kind);
}

const requestDescriptions = new BoundedCache<RequestInput, SpanDescription>({
  create: createRequestDescription,
  isSame: (first, second) =>
    first.path === second.path &&
    first.method === second.method &&
    first.scheme === second.scheme &&
    first.route === second.route &&
    first.kind === second.kind,
});

/** Returns the description of the span of a request, without the query, which can contain user data. */
export function requestDescription(
  request: Pick<ObservedRequest, 'method' | 'url' | 'route' | 'batchLine' | 'backgroundResponse' | 'videoId'>,
): LazyDescription {
  const { method, url, route } = request;
  const kind = isInternal(request) ? SpanKind.INTERNAL : SpanKind.SERVER;
  return () => {
    const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
    const queryStart = path.indexOf('?');
    const input: RequestInput = {
      // Clients can send any method. The semantic conventions define `_OTHER` for unknown ones.
      method: knownMethods.has(method) ? method : '_OTHER',
      path: path === url && queryStart === -1 ? path : copyOf(queryStart === -1 ? path : path.slice(0, queryStart)),
      scheme: url.startsWith('https:') ? 'https' : 'http',
      route,
      kind,
    };
    const isKept = input.path.length <= maxKeptLength;
    return isKept ? requestDescriptions.get(route ?? '', input) : createRequestDescription(input);
  };
}

/** Copies a part of a text, which would keep the whole text in memory. */
function copyOf(part: string): string {
  return Buffer.from(part).toString();
}

const userAgentCache = new BoundedCache<string, SharedAttributes>({
  create: (userAgent) => new SharedAttributes({ 'user_agent.original': userAgent }),
  isSame: () => true,
});

export function userAgentAttributes(userAgent: string): LazyAttributes {
  const text = userAgent.slice(0, maxKeptLength);
  const isTruncated = userAgent.length > maxKeptLength;
  return () => (isTruncated ? { 'user_agent.original': text } : userAgentCache.get(text, text));
}

type RequestOutcomeInput = Pick<
  RequestOutcome,
  'status' | 'error' | 'project' | 'model' | 'upstream' | 'aborted' | 'streamed'
>;

const requestOutcomeCache = new BoundedCache<RequestOutcomeInput, SharedAttributes>({
  create(outcome) {
    const { status, error, project, model, upstream, aborted } = outcome;
    const attributes: Attributes = { 'http.response.status_code': status };
    if (project !== undefined) attributes['modelwire.project'] = project;
    if (model !== undefined) attributes['gen_ai.request.model'] = model;
    if (upstream !== undefined) attributes['modelwire.upstream'] = upstream;
    if (error !== undefined) attributes['modelwire.error.code'] = error;
    if (aborted === true) attributes['modelwire.aborted'] = true;
    const errorType = requestErrorType(outcome);
    if (errorType !== undefined) attributes['error.type'] = errorType;
    return new SharedAttributes(attributes);
  },
  isSame: (first, second) =>
    first.status === second.status &&
    first.project === second.project &&
    first.model === second.model &&
    first.upstream === second.upstream &&
    first.error === second.error &&
    (first.aborted === true) === (second.aborted === true) &&
    requestErrorType(first) === requestErrorType(second),
});

/** Returns the attributes of the outcome that requests can share: all except the request ID. */
export function requestOutcomeAttributes({
  status,
  error,
  project,
  model,
  upstream,
  aborted,
  streamed,
}: RequestOutcome): LazyAttributes {
  return () => requestOutcomeCache.get(project ?? '', { status, error, project, model, upstream, aborted, streamed });
}

/** Returns undefined if the request did not fail. A client that disconnects is not an error. */
export function requestErrorType({ status, error, aborted, streamed }: RequestOutcomeInput): string | undefined {
  // A stream that failed after its first byte has status 200. One that was refused has its own, such as 400.
  const hasFailed = aborted !== true && (status >= 500 || (streamed === true && status < 400 && error !== undefined));
  return hasFailed ? (error ?? String(status)) : undefined;
}

type GenerationInput = Pick<ObservedGeneration, 'operation' | 'engine' | 'model' | 'isRemote' | 'isStreamed'> & {
  readonly parameters: RequestParameters | undefined;
};

const generationDescriptions = new BoundedCache<GenerationInput, SpanDescription>({
  create({ operation, engine, model, isRemote, isStreamed, parameters }) {
    const attributes: Attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': engine,
      'gen_ai.request.model': model,
    };
    if (isStreamed) attributes['gen_ai.request.stream'] = true;
    if (parameters) setRequestParameters(attributes, parameters);
    return new SpanDescription(`${operation} ${model}`, attributes, isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL);
  },
  isSame: (first, second) =>
    first.operation === second.operation &&
    first.engine === second.engine &&
    first.model === second.model &&
    first.isRemote === second.isRemote &&
    first.isStreamed === second.isStreamed &&
    isSameParameters(first.parameters, second.parameters),
});

/** The parameters of a chat request that are attributes of the span of its generation. */
interface RequestParameters extends Pick<
  ChatRequest,
  'temperature' | 'top_p' | 'max_completion_tokens' | 'frequency_penalty' | 'presence_penalty' | 'n'
> {
  /** As a text if it is not a safe integer. */
  readonly seed: number | string | undefined;
  readonly outputType: 'text' | 'json';
}

function parametersOf(request: ChatRequest): RequestParameters {
  const { temperature, top_p, max_completion_tokens, frequency_penalty, presence_penalty, n } = request;
  const seed = typeof request.seed === 'bigint' ? String(request.seed) : request.seed;
  const outputType = request.response_format.type === 'text' ? 'text' : 'json';
  return { temperature, top_p, max_completion_tokens, frequency_penalty, presence_penalty, n, seed, outputType };
}

function setRequestParameters(attributes: Attributes, parameters: RequestParameters): void {
  attributes['gen_ai.request.temperature'] = parameters.temperature;
  attributes['gen_ai.request.top_p'] = parameters.top_p;
  if (parameters.max_completion_tokens !== undefined) {
    attributes['gen_ai.request.max_tokens'] = parameters.max_completion_tokens;
  }
  if (parameters.frequency_penalty !== 0) attributes['gen_ai.request.frequency_penalty'] = parameters.frequency_penalty;
  if (parameters.presence_penalty !== 0) attributes['gen_ai.request.presence_penalty'] = parameters.presence_penalty;
  if (parameters.n !== 1) attributes['gen_ai.request.choice.count'] = parameters.n;
  if (parameters.seed !== undefined) attributes['gen_ai.request.seed'] = parameters.seed;
  attributes['gen_ai.output.type'] = parameters.outputType;
}

function isSameParameters(first: RequestParameters | undefined, second: RequestParameters | undefined): boolean {
  if (!first || !second) return first === second;
  return (
    first.temperature === second.temperature &&
    first.top_p === second.top_p &&
    first.max_completion_tokens === second.max_completion_tokens &&
    first.frequency_penalty === second.frequency_penalty &&
    first.presence_penalty === second.presence_penalty &&
    first.n === second.n &&
    first.seed === second.seed &&
    first.outputType === second.outputType
  );
}

export function generationDescription({
  operation,
  engine,
  model,
  isRemote,
  isStreamed,
  request,
}: ObservedGeneration): LazyDescription {
  // Copied, because the request also has the messages, which must not be retained.
  const parameters = request && parametersOf(request);
  return () => generationDescriptions.get(model, { operation, engine, model, isRemote, isStreamed, parameters });
}

const finishReasonCache = new BoundedCache<string, SharedAttributes>({
  create: (reason) => new SharedAttributes({ 'gen_ai.response.finish_reasons': [reason] }),
  isSame: () => true,
});

export function finishReasonAttributes(reasons: readonly string[]): Attributes | LazyAttributes {
  const [first] = reasons;
  if (first === undefined) return {};
  if (reasons.length > 1) return { 'gen_ai.response.finish_reasons': [...reasons] };
  return () => finishReasonCache.get(first, first);
}

/**
 * Returns the attributes of the outcome that differ between generations: all except the finish reasons.
 * @param startedAt In milliseconds on the clock of `performance.now()`; undefined if the reply is not streamed.
 */
export function generationOutcomeAttributes(
  { usage, responseId, firstTokenAt }: GenerationOutcome,
  startedAt: number | undefined,
): LazyAttributes {
  const inputTokens = usage?.prompt_tokens;
  const outputTokens = usage?.completion_tokens;
  const cachedTokens = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoningTokens = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  return () => {
    const attributes: Attributes = {};
    if (responseId !== undefined) attributes['gen_ai.response.id'] = responseId;
    if (firstTokenAt !== undefined && startedAt !== undefined) {
      attributes['gen_ai.response.time_to_first_chunk'] = (firstTokenAt - startedAt) / 1000;
    }
    if (inputTokens !== undefined) attributes['gen_ai.usage.input_tokens'] = inputTokens;
    if (outputTokens !== undefined) attributes['gen_ai.usage.output_tokens'] = outputTokens;
    if (cachedTokens > 0) attributes['gen_ai.usage.cache_read.input_tokens'] = cachedTokens;
    if (reasoningTokens > 0) attributes['gen_ai.usage.reasoning.output_tokens'] = reasoningTokens;
    return attributes;
  };
}

interface AttemptInput extends Pick<ObservedAttempt, 'upstream' | 'method' | 'path' | 'number'> {
  readonly address: OriginAddress;
}

const attemptDescriptions = new BoundedCache<AttemptInput, SpanDescription>({
  create({ upstream, method, address, path, number }) {
    const { host, port, normalized } = address;
    const attributes: Attributes = {
      'http.request.method': method,
      'server.address': host,
      'server.port': port,
      'url.full': normalized + path,
      'modelwire.upstream': upstream,
      ...(number > 1 && { 'http.request.resend_count': number - 1 }),
    };
    return new SpanDescription(`${method} ${upstream}`, attributes, SpanKind.CLIENT);
  },
  isSame: (first, second) =>
    first.upstream === second.upstream &&
    first.method === second.method &&
    first.address === second.address &&
    first.path === second.path &&
    first.number === second.number,
});

export function attemptDescription({ upstream, method, origin, path, number }: ObservedAttempt): LazyDescription {
  const address = addressOf(origin);
  return () => attemptDescriptions.get(upstream, { upstream, method, address, path, number });
}

interface OriginAddress {
  readonly host: string;
  readonly port: number;
  readonly normalized: string;
}

/** Addresses by origin, one for each upstream. Parsing an origin takes as long as recording the rest of the span. */
const originAddresses = new BoundedCache<string, OriginAddress>({
  create(origin) {
    const url = new URL(origin);
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    return { host: url.hostname, port, normalized: url.origin };
  },
  isSame: () => true,
});

function addressOf(origin: string): OriginAddress {
  return originAddresses.get(origin, origin);
}

const attemptOutcomeCache = new BoundedCache<AttemptOutcome, SharedAttributes>({
  create(outcome) {
    const { status, aborted } = outcome;
    const errorType = attemptErrorType(outcome);
    return new SharedAttributes({
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...(aborted === true && { 'modelwire.aborted': true }),
      ...(errorType !== undefined && { 'error.type': errorType }),
    });
  },
  isSame: (first, second) =>
    first.status === second.status &&
    first.failure === second.failure &&
    (first.aborted === true) === (second.aborted === true),
});

function attemptErrorType({ status, failure }: AttemptOutcome): string | undefined {
  return failure === undefined || status === undefined || status < 400 ? failure : String(status);
}

export function attemptOutcomeAttributes({ status, aborted, failure }: AttemptOutcome): LazyAttributes {
  return () => attemptOutcomeCache.get(failure ?? '', { status, aborted, failure });
}

const databases: Readonly<Record<string, string>> = { sqlite: 'sqlite', postgresql: 'postgresql' };

const storageOperationDescriptions = new BoundedCache<{ storage: string; operation: string }, SpanDescription>({
  create({ storage, operation }) {
    const system = databases[storage];
    const attributes: Attributes =
      system === undefined
        ? { 'modelwire.storage': storage, 'modelwire.storage.operation': operation }
        : { 'db.system.name': system, 'db.operation.name': operation };
    return new SpanDescription(`${storage} ${operation}`, attributes);
  },
  isSame: (first, second) => first.operation === second.operation,
});

export function storageOperationDescription(storage: string, operation: string): LazyDescription {
  return () => storageOperationDescriptions.get(storage, { storage, operation });
}
