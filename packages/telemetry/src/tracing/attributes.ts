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
import { isInternal } from '../observed.ts';

/** The version of the semantic conventions whose attribute names these are. Our own begin with `modelwire.`. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.45.0';

/** What a span has from its start. */
export interface SpanDescription {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The maximum length of texts of clients, such as paths. */
const maxLength = 256;

/** Returns the description of the span of a request, without the query, which can contain user data. */
export function requestDescription(request: Omit<ObservedRequest, 'startedAt'>): SpanDescription {
  const { method, url, route, header } = request;
  const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
  const [pathWithoutQuery = ''] = path.split('?', 1);
  const userAgent = header('user-agent');
  // Clients can send any method. The semantic conventions define `_OTHER` for unknown ones.
  const knownMethod = knownMethods.has(method) ? method : '_OTHER';
  return {
    name: route === undefined ? knownMethod : `${knownMethod} ${route}`,
    kind: isInternal(request) ? SpanKind.INTERNAL : SpanKind.SERVER,
    attributes: {
      'http.request.method': knownMethod,
      'url.path': pathWithoutQuery.slice(0, maxLength),
      'url.scheme': url.startsWith('https:') ? 'https' : 'http',
      ...(route !== undefined && { 'http.route': route }),
      ...(userAgent !== null && { 'user_agent.original': userAgent.slice(0, maxLength) }),
      ...(request.batchLine && { 'modelwire.batch.id': request.batchLine.batch }),
      ...(request.backgroundResponse !== undefined && { 'modelwire.response.id': request.backgroundResponse }),
      ...(request.videoId !== undefined && { 'modelwire.video.id': request.videoId }),
    },
  };
}

export function requestOutcomeAttributes(outcome: RequestOutcome): Attributes {
  const { requestId, status, error, project, model, upstream, aborted } = outcome;
  const errorType = requestErrorType(outcome);
  return {
    'modelwire.request.id': requestId,
    'http.response.status_code': status,
    ...(project !== undefined && { 'modelwire.project': project }),
    ...(model !== undefined && { 'gen_ai.request.model': model.slice(0, maxLength) }),
    ...(upstream !== undefined && { 'modelwire.upstream': upstream }),
    ...(error !== undefined && { 'modelwire.error.code': error }),
    ...(aborted === true && { 'modelwire.aborted': true }),
    ...(errorType !== undefined && { 'error.type': errorType }),
  };
}

/** Returns undefined if the request did not fail. A client that disconnects is not an error. */
export function requestErrorType({ status, error, aborted, streamed }: RequestOutcome): string | undefined {
  // A stream that failed after its first byte has status 200. One that was refused has its own, such as 400.
  const hasFailed = aborted !== true && (status >= 500 || (streamed === true && status < 400 && error !== undefined));
  return hasFailed ? (error ?? String(status)) : undefined;
}

export function generationDescription({
  operation,
  engine,
  model,
  isRemote,
  isStreamed,
  request,
}: ObservedGeneration): SpanDescription {
  return {
    name: `${operation} ${model}`,
    kind: isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': engine,
      'gen_ai.request.model': model,
      ...(isStreamed && { 'gen_ai.request.stream': true }),
      ...(request && parameterAttributes(request)),
    },
  };
}

function parameterAttributes(request: ChatRequest): Attributes {
  const { seed, max_completion_tokens: maxTokens } = request;
  return {
    'gen_ai.request.temperature': request.temperature,
    'gen_ai.request.top_p': request.top_p,
    ...(maxTokens !== undefined && { 'gen_ai.request.max_tokens': maxTokens }),
    ...(request.frequency_penalty !== 0 && { 'gen_ai.request.frequency_penalty': request.frequency_penalty }),
    ...(request.presence_penalty !== 0 && { 'gen_ai.request.presence_penalty': request.presence_penalty }),
    ...(request.n !== 1 && { 'gen_ai.request.choice.count': request.n }),
    // A seed that is not a safe integer is a text.
    ...(seed !== undefined && { 'gen_ai.request.seed': typeof seed === 'bigint' ? String(seed) : seed }),
    'gen_ai.output.type': request.response_format.type === 'text' ? 'text' : 'json',
  };
}

/** @param startedAt In milliseconds on the clock of `performance.now()`; undefined if the reply is not streamed. */
export function generationOutcomeAttributes(
  { usage, responseId, firstTokenAt, finishReasons }: GenerationOutcome,
  startedAt: number | undefined,
): Attributes {
  const cachedTokens = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoningTokens = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    ...(responseId !== undefined && { 'gen_ai.response.id': responseId }),
    ...(finishReasons.length > 0 && { 'gen_ai.response.finish_reasons': [...finishReasons] }),
    ...(firstTokenAt !== undefined &&
      startedAt !== undefined && { 'gen_ai.response.time_to_first_chunk': (firstTokenAt - startedAt) / 1000 }),
    ...(usage && {
      'gen_ai.usage.input_tokens': usage.prompt_tokens,
      'gen_ai.usage.output_tokens': usage.completion_tokens,
    }),
    ...(cachedTokens > 0 && { 'gen_ai.usage.cache_read.input_tokens': cachedTokens }),
    ...(reasoningTokens > 0 && { 'gen_ai.usage.reasoning.output_tokens': reasoningTokens }),
  };
}

export function attemptDescription({ upstream, method, origin, path, number }: ObservedAttempt): SpanDescription {
  const url = new URL(origin);
  return {
    name: `${method} ${upstream}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      'url.full': `${url.origin}${path}`,
      'modelwire.upstream': upstream,
      ...(number > 1 && { 'http.request.resend_count': number - 1 }),
    },
  };
}

export function attemptOutcomeAttributes({ status, aborted, failure }: AttemptOutcome): Attributes {
  const errorType = failure === undefined || status === undefined || status < 400 ? failure : String(status);
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(aborted === true && { 'modelwire.aborted': true }),
    ...(errorType !== undefined && { 'error.type': errorType }),
  };
}

const databases: Readonly<Record<string, string>> = { sqlite: 'sqlite', postgresql: 'postgresql' };

export function storageOperationDescription(storage: string, operation: string): SpanDescription {
  const system = databases[storage];
  return {
    name: `${storage} ${operation}`,
    attributes:
      system === undefined
        ? { 'modelwire.storage': storage, 'modelwire.storage.operation': operation }
        : { 'db.system.name': system, 'db.operation.name': operation },
  };
}
