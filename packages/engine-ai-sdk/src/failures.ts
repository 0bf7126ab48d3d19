import { isRecord } from '@modelwire/adapter-kit';
import { RequestError, invalid, modelNotFound } from '@modelwire/ports';
import {
  AISDKError,
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  JSONParseError,
  LoadAPIKeyError,
  LoadSettingError,
  NoSuchModelError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { readErrorBody } from './error-body.ts';
import type { ErrorBody } from './error-body.ts';
import { networkFailure } from './network-failure.ts';
import { providerName } from './provider-profile.ts';
import { statusFailure } from './status-failure.ts';

export interface FailureContext {
  /** ID of the model in requests. */
  readonly model: string;
  /** Provider ID, for the log. */
  readonly provider: string;
  /** Texts that messages must not contain. */
  readonly secrets: readonly string[];
}

/** What a call threw, as the error that the client gets. Errors that no provider throws are returned unchanged. */
export function requestFailure(error: unknown, context: FailureContext): unknown {
  if (error instanceof RequestError) return error;
  const isProviderError = AISDKError.isInstance(error) || networkFailure(error, context.provider) !== undefined;
  return isProviderError ? providerFailure(error, context) : error;
}

/** An error of a provider: thrown by it, or the value of an `error` part. `reason` is the finish reason of a reply that failed. */
export function providerFailure(error: unknown, context: FailureContext, reason?: string): RequestError {
  if (error instanceof RequestError) return error;
  const name = providerName(context.provider);
  const cause = new Error(
    `${context.provider}: ${error instanceof Error ? error.name : (reason ?? 'error in the stream')}`,
  );
  if (APICallError.isInstance(error)) return apiCallFailure(error, context);
  if (UnsupportedFunctionalityError.isInstance(error)) {
    const message = `Unsupported value: ${error.functionality} is not supported with the model '${context.model}'.`;
    return invalid(null, message, 'unsupported_value');
  }
  if (InvalidPromptError.isInstance(error) || InvalidArgumentError.isInstance(error))
    return invalid(null, error.message);
  if (NoSuchModelError.isInstance(error)) return modelNotFound(context.model);
  if (LoadAPIKeyError.isInstance(error) || LoadSettingError.isInstance(error)) {
    const message = `This server has no credentials for the provider '${name}'.`;
    return new RequestError(message, { status: 502, code: 'upstream_authentication_failed', cause });
  }
  if (isMalformed(error)) return malformed(context);
  const network = networkFailure(error, context.provider);
  if (network) return network;
  const body = streamError(error);
  if (body) return statusFailure({ status: body.status ?? 502, headers: {}, body, ...context });
  const why = reason === undefined ? '' : ` (${reason})`;
  return new RequestError(`The provider '${name}' failed${why}.`, { status: 502, code: 'upstream_error', cause });
}

/** The stream ended without a finish reason. */
export function interrupted({ provider }: Pick<FailureContext, 'provider'>): RequestError {
  return new RequestError(`The provider '${providerName(provider)}' ended its reply early.`, {
    status: 502,
    code: 'upstream_stream_interrupted',
    cause: new Error(`${provider}: the stream ended without a finish reason`),
  });
}

function apiCallFailure(error: APICallError, context: FailureContext): RequestError {
  const { statusCode: status, responseHeaders: headers = {}, responseBody } = error;
  if (status === undefined || status < 300) {
    if (isMalformed(error.cause)) return malformed(context);
    const network = networkFailure(error, context.provider);
    // An error with a status after the reply has started.
    return status === undefined && network ? network : interrupted(context);
  }
  return statusFailure({ status, headers, body: readErrorBody(responseBody), ...context });
}

function isMalformed(error: unknown): boolean {
  return JSONParseError.isInstance(error) || TypeValidationError.isInstance(error);
}

function malformed({ provider }: Pick<FailureContext, 'provider'>): RequestError {
  const message = `The provider '${providerName(provider)}' sent a malformed reply.`;
  const cause = new Error(`${provider}: malformed reply`);
  return new RequestError(message, { status: 502, code: 'upstream_malformed', cause });
}

/** Error parts of streams are plain objects or errors with these fields. */
function streamError(error: unknown): ErrorBody | undefined {
  if (typeof error === 'string') return { message: error };
  if (!isRecord(error)) return undefined;
  const { message, type, statusCode, data } = error;
  const details = isRecord(data) ? readErrorBody(JSON.stringify({ error: data })) : undefined;
  return {
    ...details,
    ...(typeof message === 'string' && { message }),
    ...(typeof type === 'string' && { type }),
    ...(typeof statusCode === 'number' && statusCode >= 400 && { status: statusCode }),
  };
}
