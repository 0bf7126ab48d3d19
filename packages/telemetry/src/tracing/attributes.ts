import type { Attributes } from '@opentelemetry/api';
import type {
  AttemptOutcome,
  GenerationOutcome,
  ObservedAttempt,
  ObservedGeneration,
  RequestOutcome,
} from '@modelwire/ports';

// All attribute names of the semantic conventions. Those for generative AI have the status development: they can change.

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The value of `http.request.method`. Unknown methods are `_OTHER`, because clients can send any text. */
export function methodOf(method: string): string {
  return knownMethods.has(method) ? method : '_OTHER';
}

/** The attributes of the span of a request. Does not include the query, which can contain user data. */
export function requestAttributes(request: {
  readonly method: string;
  readonly url: string;
  readonly route: string | undefined;
  header(name: string): string | null;
}): Attributes {
  const { url } = request;
  const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
  const queryStart = path.indexOf('?');
  const attributes: Attributes = {
    'http.request.method': methodOf(request.method),
    'url.path': queryStart === -1 ? path : path.slice(0, queryStart),
    'url.scheme': url.startsWith('https:') ? 'https' : 'http',
  };
  if (request.route !== undefined) attributes['http.route'] = request.route;
  const userAgent = request.header('user-agent');
  if (userAgent !== null) attributes['user_agent.original'] = userAgent.slice(0, 256);
  return attributes;
}

export function requestOutcomeAttributes({
  requestId,
  status,
  error,
  project,
  model,
  upstream,
  aborted,
  streamed,
}: RequestOutcome): Attributes {
  const attributes: Attributes = { 'modelwire.request.id': requestId, 'http.response.status_code': status };
  if (project !== undefined) attributes['modelwire.project'] = project;
  if (model !== undefined) attributes['gen_ai.request.model'] = model;
  if (upstream !== undefined) attributes['modelwire.upstream'] = upstream;
  if (error !== undefined) attributes['modelwire.error.code'] = error;
  if (aborted === true) attributes['modelwire.aborted'] = true;
  else if (status >= 500 || (streamed === true && error !== undefined)) {
    attributes['error.type'] = error ?? String(status);
  }
  return attributes;
}

export function generationAttributes({
  operation,
  engine,
  model,
  isStreamed,
  request,
}: ObservedGeneration): Attributes {
  const attributes: Attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': engine,
    'gen_ai.request.model': model,
  };
  if (isStreamed) attributes['gen_ai.request.stream'] = true;
  if (!request) return attributes;
  attributes['gen_ai.request.temperature'] = request.temperature;
  attributes['gen_ai.request.top_p'] = request.top_p;
  if (request.max_completion_tokens !== undefined) {
    attributes['gen_ai.request.max_tokens'] = request.max_completion_tokens;
  }
  if (request.frequency_penalty !== 0) attributes['gen_ai.request.frequency_penalty'] = request.frequency_penalty;
  if (request.presence_penalty !== 0) attributes['gen_ai.request.presence_penalty'] = request.presence_penalty;
  if (request.n !== 1) attributes['gen_ai.request.choice.count'] = request.n;
  if (request.seed !== undefined) attributes['gen_ai.request.seed'] = request.seed;
  attributes['gen_ai.output.type'] = request.response_format.type === 'text' ? 'text' : 'json';
  return attributes;
}

/** @param startedAt In milliseconds, by `performance.now()`; undefined if the reply is not streamed. */
export function generationOutcomeAttributes(
  { usage, finishReasons, responseId, firstTokenAt }: GenerationOutcome,
  startedAt: number | undefined,
): Attributes {
  const attributes: Attributes = {};
  if (responseId !== undefined) attributes['gen_ai.response.id'] = responseId;
  if (finishReasons.length > 0) attributes['gen_ai.response.finish_reasons'] = [...finishReasons];
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
}

export function attemptAttributes({ upstream, method, origin, path, number }: ObservedAttempt): Attributes {
  const { host, port, normalized } = addressOf(origin);
  return {
    'http.request.method': method,
    'server.address': host,
    'server.port': port,
    'url.full': normalized + path,
    'modelwire.upstream': upstream,
    ...(number > 1 && { 'http.request.resend_count': number - 1 }),
  };
}

interface OriginAddress {
  readonly host: string;
  readonly port: number;
  readonly normalized: string;
}

/** By origin. There is one for each upstream; parsing takes as long as the rest of the span. */
const addresses = new Map<string, OriginAddress>();
const maxAddresses = 1000;

function addressOf(origin: string): OriginAddress {
  let address = addresses.get(origin);
  if (address) return address;
  const url = new URL(origin);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  address = { host: url.hostname, port, normalized: url.origin };
  if (addresses.size >= maxAddresses) addresses.clear();
  addresses.set(origin, address);
  return address;
}

export function attemptOutcomeAttributes({ status, aborted, failure }: AttemptOutcome): Attributes {
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(aborted === true && { 'modelwire.aborted': true }),
    ...(failure !== undefined && { 'error.type': status === undefined || status < 400 ? failure : String(status) }),
  };
}

const databases: Readonly<Record<string, string>> = { sqlite: 'sqlite', postgresql: 'postgresql' };

export function storageAttributes(storage: string, operation: string): Attributes {
  const system = databases[storage];
  return system === undefined
    ? { 'modelwire.storage': storage, 'modelwire.storage.operation': operation }
    : { 'db.system.name': system, 'db.operation.name': operation };
}
