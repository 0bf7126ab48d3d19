import { systemErrorCode } from '@modelwire/ports';
import { RequestError } from '@modelwire/server';

/**
 * Why an upstream cannot be used: `unreachable`, no connection or no answer in time; `authentication_failed`, it refused our key;
 * `failing`, it answered with an error or with something else than a list of models.
 */
export type UpstreamProblemKind = 'unreachable' | 'authentication_failed' | 'failing';

/** An upstream that cannot be used. `message` is the cause in a few words, such as `ECONNREFUSED` or `status 503`. */
export class UpstreamProblem extends Error {
  override readonly name = 'UpstreamProblem';
  readonly kind: UpstreamProblemKind;

  constructor(kind: UpstreamProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** What was thrown while the models of an upstream were requested, with the code of the system error, not only "fetch failed". */
export function upstreamProblem(thrown: unknown): UpstreamProblem {
  if (thrown instanceof UpstreamProblem) return thrown;
  const code = systemErrorCode(thrown);
  if (code !== undefined) return new UpstreamProblem('unreachable', code, thrown);
  if (thrown instanceof Error && thrown.name === 'TimeoutError')
    return new UpstreamProblem('unreachable', 'timeout', thrown);
  return new UpstreamProblem('failing', thrown instanceof Error ? thrown.message : 'unknown error', thrown);
}

/** The error for requests to a model that no upstream lists, while this one has never returned its models. */
export function unknownModelError(upstream: string, { kind, message }: UpstreamProblem): RequestError {
  const headers = { 'x-modelwire-upstream': upstream };
  if (kind === 'authentication_failed') {
    return new RequestError(
      `The upstream '${upstream}' refused the credentials of this server (${message}), so its models are unknown.`,
      { status: 502, code: 'upstream_authentication_failed', headers },
    );
  }
  return new RequestError(
    `The upstream '${upstream}' is ${kind} (${message}), so its models are unknown. Please retry later.`,
    { status: 503, code: 'upstream_unavailable', headers: { ...headers, 'retry-after': '5' } },
  );
}
