import { RequestError, modelNotFound } from '@modelwire/ports';
import type { ErrorBody } from './error-body.ts';
import { providerName } from './provider-profile.ts';
import { retryHeaders } from './retry-headers.ts';

export interface FailedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined if the body has no readable error. */
  readonly body: ErrorBody | undefined;
  readonly model: string;
  readonly provider: string;
  readonly secrets: readonly string[];
}

const maxMessageLength = 2000;

/**
 * Converts a reply with an error status, or an error inside a stream, to the error for the client, with the provider's status, message and
 * type. Statuses that clients do not know become the most similar known one.
 */
export function statusFailure(reply: FailedReply): RequestError {
  const { status, body, model, provider } = reply;
  const name = providerName(provider);
  const cause = new Error(`${provider}: status ${status}`);
  const reason = reasonOf(reply);
  if (status === 401 || status === 403 || body?.isKeyInvalid) {
    const details = reason === undefined ? '' : ` It reported: ${reason}`;
    const message = `The provider '${name}' refused the credentials of this server (status ${status}).${details}`;
    return new RequestError(message, { status: 502, code: 'upstream_authentication_failed', cause });
  }
  if (reason !== undefined && isContextOverflow(status, reason)) {
    return new RequestError(reason, { status: 400, param: 'messages', code: 'context_length_exceeded', cause });
  }
  const headers = retryHeaders(reply.headers, body);
  const type = body?.type === undefined ? {} : { type: body.type };
  if (status >= 500) {
    const message = reason ?? `The provider '${name}' failed with status ${status}.`;
    const passed = status === 529 ? 503 : status > 511 ? 502 : status;
    return new RequestError(message, { status: passed, code: 'upstream_error', headers, cause, ...type });
  }
  if (status === 404 && body) return modelNotFound(model);
  if (status === 429) {
    const message = reason ?? `The provider '${name}' received too many requests.`;
    return new RequestError(message, { status, code: 'rate_limit_exceeded', headers, cause, ...type });
  }
  if (reason !== undefined) {
    const code = status === 413 ? 'request_too_large' : codeOf(body);
    return new RequestError(reason, { status, code, headers, cause, ...type });
  }
  const hint = status === 404 || status === 405 ? ' Check its base URL.' : '';
  const message = `The provider '${name}' answered with status ${status}.${hint}`;
  return new RequestError(message, { status: 502, code: 'upstream_error', cause });
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

/** Statuses and wordings of providers for a prompt that does not fit into the context of the model. */
const overflowStatuses: ReadonlySet<number> = new Set([400, 413, 422]);
const overflowWordings: readonly RegExp[] = [
  // Anthropic, Bedrock.
  /\bprompt is too long\b/i,
  /\binput is too long for (?:the )?requested model\b/i,
  /\binput length and `?max_tokens`? exceed context limit\b/i,
  // Gemini.
  /\binput token count\b.{0,40}\bexceeds the maximum number of tokens\b/i,
  // OpenAI, DeepSeek, Fireworks; Mistral writes "32768 maximum context length".
  /\bmaximum (?:allowed )?(?:context|prompt|model|input) length\b/i,
  /\bexceeds? (?:the )?(?:available |model'?s? |maximum |max )*context (?:size|window|length|limit)/i,
  // Cohere.
  /\btoo many tokens\b/i,
  // Groq.
  /\breduce the length of the messages\b/i,
];

function isContextOverflow(status: number, message: string): boolean {
  return overflowStatuses.has(status) && overflowWordings.some((wording) => wording.test(message));
}
