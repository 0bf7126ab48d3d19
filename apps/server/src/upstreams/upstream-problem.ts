import { systemErrorCode } from '@modelwire/adapter-kit';

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

/** The cause for clients, in a few words. */
export function causeOf({ kind, message }: UpstreamProblem): string {
  return kind === 'authentication_failed' ? `it refused the credentials of this server, ${message}` : message;
}
