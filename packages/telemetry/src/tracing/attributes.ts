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
import { RecentValues } from './recent-values.ts';
import { SharedAttributes, SpanDescription } from './span-description.ts';
import type { Describe, ReadAttributes } from './tracing-span.ts';

// All attribute names of the semantic conventions. Those for generative AI have the status development: they can change.

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface RequestInput {
  readonly method: string;
  readonly path: string;
  readonly scheme: 'http' | 'https';
  readonly route: string | undefined;
  readonly kind: SpanKind;
}

const requests = new RecentValues<RequestInput, SpanDescription>({
  create({ method, path, scheme, route, kind }) {
    const attributes: Attributes = { 'http.request.method': method, 'url.path': path, 'url.scheme': scheme };
    if (route !== undefined) attributes['http.route'] = route;
    return new SpanDescription(route === undefined ? method : `${method} ${route}`, attributes, kind);
  },
  isSame: ({ attributes, kind }, input) =>
    kind === input.kind &&
    attributes['http.request.method'] === input.method &&
    attributes['url.path'] === input.path &&
    attributes['url.scheme'] === input.scheme &&
    attributes['http.route'] === input.route,
});

/** Describes the span of a request. Does not include the query, which can contain user data. */
export function describeRequest({
  method,
  url,
  route,
  batchLine,
}: Pick<ObservedRequest, 'method' | 'url' | 'route' | 'batchLine'>): Describe {
  // Batch lines are requests that the server makes to itself.
  const kind = batchLine ? SpanKind.INTERNAL : SpanKind.SERVER;
  return () => {
    const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
    const queryStart = path.indexOf('?');
    return requests.get(route ?? '', {
      // Clients can send any text.
      method: knownMethods.has(method) ? method : '_OTHER',
      path: queryStart === -1 ? path : path.slice(0, queryStart),
      scheme: url.startsWith('https:') ? 'https' : 'http',
      route,
      kind,
    });
  };
}

const userAgents = new RecentValues<string, SharedAttributes>({
  create: (userAgent) => new SharedAttributes({ 'user_agent.original': userAgent }),
  isSame: () => true,
});

export function userAgentAttributes(userAgent: string): ReadAttributes {
  return () => {
    const text = userAgent.slice(0, 256);
    return userAgents.get(text, text);
  };
}

type RequestResult = Pick<
  RequestOutcome,
  'status' | 'error' | 'project' | 'model' | 'upstream' | 'aborted' | 'streamed'
>;

const requestOutcomes = new RecentValues<RequestResult, SharedAttributes>({
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
  isSame: ({ values }, outcome) =>
    values['http.response.status_code'] === outcome.status &&
    values['modelwire.project'] === outcome.project &&
    values['gen_ai.request.model'] === outcome.model &&
    values['modelwire.upstream'] === outcome.upstream &&
    values['modelwire.error.code'] === outcome.error &&
    (values['modelwire.aborted'] === true) === (outcome.aborted === true) &&
    values['error.type'] === requestErrorType(outcome),
});

/** All attributes of the outcome except the ID of the request. */
export function requestOutcomeAttributes({
  status,
  error,
  project,
  model,
  upstream,
  aborted,
  streamed,
}: RequestOutcome): ReadAttributes {
  return () => requestOutcomes.get(model ?? '', { status, error, project, model, upstream, aborted, streamed });
}

/** Returns undefined if the request did not fail. A client that disconnects is not an error. */
export function requestErrorType({ status, error, aborted, streamed }: RequestResult): string | undefined {
  const hasFailed = aborted !== true && (status >= 500 || (streamed === true && error !== undefined));
  return hasFailed ? (error ?? String(status)) : undefined;
}

type GenerationInput = Pick<ObservedGeneration, 'operation' | 'engine' | 'model' | 'isRemote' | 'isStreamed'> & {
  readonly parameters: RequestParameters | undefined;
};

const generations = new RecentValues<GenerationInput, SpanDescription>({
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
  isSame: ({ attributes, kind }, { operation, engine, model, isRemote, isStreamed, parameters }) =>
    (kind === SpanKind.CLIENT) === isRemote &&
    attributes['gen_ai.operation.name'] === operation &&
    attributes['gen_ai.provider.name'] === engine &&
    attributes['gen_ai.request.model'] === model &&
    (attributes['gen_ai.request.stream'] === true) === isStreamed &&
    hasRequestParameters(attributes, parameters),
});

/** Those parameters of a request that are attributes of its span. */
interface RequestParameters extends Pick<
  ChatRequest,
  'temperature' | 'top_p' | 'max_completion_tokens' | 'frequency_penalty' | 'presence_penalty' | 'n' | 'seed'
> {
  readonly outputType: 'text' | 'json';
}

function parametersOf(request: ChatRequest): RequestParameters {
  const { temperature, top_p, max_completion_tokens, frequency_penalty, presence_penalty, n, seed } = request;
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

/** Whether the attributes are those that `setRequestParameters` sets. */
function hasRequestParameters(attributes: Attributes, parameters: RequestParameters | undefined): boolean {
  if (!parameters) return attributes['gen_ai.output.type'] === undefined;
  return (
    attributes['gen_ai.request.temperature'] === parameters.temperature &&
    attributes['gen_ai.request.top_p'] === parameters.top_p &&
    attributes['gen_ai.request.max_tokens'] === parameters.max_completion_tokens &&
    (attributes['gen_ai.request.frequency_penalty'] ?? 0) === parameters.frequency_penalty &&
    (attributes['gen_ai.request.presence_penalty'] ?? 0) === parameters.presence_penalty &&
    (attributes['gen_ai.request.choice.count'] ?? 1) === parameters.n &&
    attributes['gen_ai.request.seed'] === parameters.seed &&
    attributes['gen_ai.output.type'] === parameters.outputType
  );
}

export function describeGeneration({
  operation,
  engine,
  model,
  isRemote,
  isStreamed,
  request,
}: ObservedGeneration): Describe {
  // Without the messages.
  const parameters = request && parametersOf(request);
  return () => generations.get(model, { operation, engine, model, isRemote, isStreamed, parameters });
}

const finishReasons = new RecentValues<string, SharedAttributes>({
  create: (reason) => new SharedAttributes({ 'gen_ai.response.finish_reasons': [reason] }),
  isSame: () => true,
});

export function finishReasonAttributes(reasons: readonly string[]): ReadAttributes {
  return () => {
    const [first] = reasons;
    if (first === undefined) return {};
    return reasons.length === 1 ? finishReasons.get(first, first) : { 'gen_ai.response.finish_reasons': [...reasons] };
  };
}

/**
 * All attributes of the outcome except the finish reasons.
 * @param startedAt In milliseconds, by `performance.now()`; undefined if the reply is not streamed.
 */
export function generationOutcomeAttributes(
  { usage, responseId, firstTokenAt }: GenerationOutcome,
  startedAt: number | undefined,
): ReadAttributes {
  return () => {
    const attributes: Attributes = {};
    if (responseId !== undefined) attributes['gen_ai.response.id'] = responseId;
    if (firstTokenAt !== undefined && startedAt !== undefined) {
      attributes['gen_ai.response.time_to_first_chunk'] = (firstTokenAt - startedAt) / 1000;
    }
    if (!usage) return attributes;
    attributes['gen_ai.usage.input_tokens'] = usage.prompt_tokens;
    attributes['gen_ai.usage.output_tokens'] = usage.completion_tokens;
    const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
    if (cached > 0) attributes['gen_ai.usage.cache_read.input_tokens'] = cached;
    const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
    if (reasoning > 0) attributes['gen_ai.usage.reasoning.output_tokens'] = reasoning;
    return attributes;
  };
}

const attempts = new RecentValues<ObservedAttempt, SpanDescription>({
  create({ upstream, method, origin, path, number }) {
    const { host, port, normalized } = addressOf(origin);
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
  isSame: ({ attributes }, { upstream, method, origin, path, number }) =>
    attributes['http.request.method'] === method &&
    attributes['url.full'] === addressOf(origin).normalized + path &&
    attributes['modelwire.upstream'] === upstream &&
    (attributes['http.request.resend_count'] ?? 0) === number - 1,
});

export function describeAttempt(attempt: ObservedAttempt): Describe {
  return () => attempts.get(attempt.upstream, attempt);
}

interface OriginAddress {
  readonly host: string;
  readonly port: number;
  readonly normalized: string;
}

/** By origin. There is one for each upstream; parsing takes as long as the rest of the span. */
const addresses = new RecentValues<string, OriginAddress>({
  create(origin) {
    const url = new URL(origin);
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    return { host: url.hostname, port, normalized: url.origin };
  },
  isSame: () => true,
});

function addressOf(origin: string): OriginAddress {
  return addresses.get(origin, origin);
}

const attemptOutcomes = new RecentValues<AttemptOutcome, SharedAttributes>({
  create(outcome) {
    const { status, aborted } = outcome;
    const errorType = attemptErrorType(outcome);
    return new SharedAttributes({
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...(aborted === true && { 'modelwire.aborted': true }),
      ...(errorType !== undefined && { 'error.type': errorType }),
    });
  },
  isSame: ({ values }, outcome) =>
    values['http.response.status_code'] === outcome.status &&
    (values['modelwire.aborted'] === true) === (outcome.aborted === true) &&
    values['error.type'] === attemptErrorType(outcome),
});

function attemptErrorType({ status, failure }: AttemptOutcome): string | undefined {
  return failure === undefined || status === undefined || status < 400 ? failure : String(status);
}

export function attemptOutcomeAttributes(outcome: AttemptOutcome): ReadAttributes {
  return () => attemptOutcomes.get(outcome.failure ?? '', outcome);
}

const databases: Readonly<Record<string, string>> = { sqlite: 'sqlite', postgresql: 'postgresql' };

const storageOperations = new RecentValues<{ storage: string; operation: string }, SpanDescription>({
  create({ storage, operation }) {
    const system = databases[storage];
    const attributes: Attributes =
      system === undefined
        ? { 'modelwire.storage': storage, 'modelwire.storage.operation': operation }
        : { 'db.system.name': system, 'db.operation.name': operation };
    return new SpanDescription(`${storage} ${operation}`, attributes);
  },
  isSame: ({ name }, { storage, operation }) => name === `${storage} ${operation}`,
});

export function describeStorageOperation(storage: string, operation: string): Describe {
  return () => storageOperations.get(`${storage} ${operation}`, { storage, operation });
}
