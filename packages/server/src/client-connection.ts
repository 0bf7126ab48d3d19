import { RequestError } from './errors.ts';

/**
 * Whether the client is still there. Its signal is made when first asked for: most requests end before anybody asks.
 *
 * A class, as there is one for each request: an object literal with a getter costs a hidden class of its own each time, and
 * those outlive many collections (docs/decisions/0006).
 */
export class ClientConnection {
  #controller: AbortController | undefined;
  #reason: unknown;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Why the work was ended; undefined while it was not. */
  get reason(): unknown {
    return this.#reason;
  }

  get hasDisconnected(): boolean {
    return this.#reason instanceof RequestError && this.#reason.code === 'client_disconnected';
  }

  /** Ends the work: the client disconnected, or a stopping server waits no longer. The first reason stands. */
  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason ?? clientDisconnected();
    this.#controller?.abort(this.#reason);
  }
}

/** Nobody reads it; the log does. 499 is what reverse proxies call it. */
export function clientDisconnected(): RequestError {
  return new RequestError('The client closed the connection.', {
    status: 499,
    type: 'aborted',
    code: 'client_disconnected',
  });
}
