import { RequestError, modelNotFound } from '@modelwire/ports';
import type { ErrorBody } from './error-body.ts';
import { retryHeaders } from './retry-headers.ts';

export interface FailedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined where the body says nothing that could be read. */
  readonly body: ErrorBody | undefined;
  readonly model: string;
  readonly provider: string;
  readonly secrets: readonly string[];
}

const maxMessageLength = 2000;

/** A reply with an error status, or an error inside a stream, as the error that the client gets. */
export function statusFailure(reply: FailedReply): RequestError {
  const { status, body, model, provider } = reply;
  const cause = new Error(`${provider}: status ${status}`);
  const reason = reasonOf(reply);
  const because = reason === undefined ? '.' : `: ${reason}`;
  if (status === 401 || status === 403 || body?.isKeyInvalid) {
    const message = `The provider of the model refused the credentials of this server${because}`;
    return new RequestError(message, { status: 502, code: 'upstream_authentication_failed', cause });
  }
  // Without a readable body it is not the provider that answered: the base URL may be wrong.
  if (status === 404 && body) return modelNotFound(model);
  const headers = retryHeaders(reply.headers, body);
  if (status === 429) {
    const message = reason ?? 'The provider of the model received too many requests.';
    return new RequestError(message, {
      status,
      type: body?.type ?? 'requests',
      code: 'rate_limit_exceeded',
      headers,
      cause,
    });
  }
  if (reason !== undefined && (status === 400 || status === 413) && isContextOverflow(reason)) {
    return new RequestError(reason, { status: 400, param: 'messages', code: 'context_length_exceeded', cause });
  }
  if (status >= 400 && status < 500 && reason !== undefined) {
    const code = status === 413 ? 'request_too_large' : codeOf(body);
    return new RequestError(reason, {
      status,
      code,
      headers,
      cause,
      ...(body?.type !== undefined && { type: body.type }),
    });
  }
  if (status === 503 || status === 529) {
    const message = `The provider of the model is overloaded${because}`;
    return new RequestError(message, { status: 503, code: 'upstream_error', headers, cause });
  }
  if (status === 504) {
    const message = `The provider of the model did not respond in time${because}`;
    return new RequestError(message, { status: 504, code: 'upstream_timeout', headers, cause });
  }
  const message = `The provider of the model failed (status ${status})${because}`;
  return new RequestError(message, { status: 502, code: 'upstream_error', headers, cause });
}

/** The provider's own message without secrets. */
function reasonOf({ body, secrets }: FailedReply): string | undefined {
  if (body?.message === undefined) return undefined;
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), body.message);
  return shown.length > maxMessageLength ? `${shown.slice(0, maxMessageLength - 1).toWellFormed()}…` : shown;
}

function codeOf(body: ErrorBody | undefined): string | null {
  return body?.code !== undefined && /^[\w.-]{1,64}$/.test(body.code) ? body.code : null;
}

/** Providers have no common code for it. */
function isContextOverflow(message: string): boolean {
  return /prompt is too long|input is too long|exceeds? the maximum number of tokens|maximum context length|context (window|length|size)|too many (input )?tokens/i.test(
    message,
  );
}
