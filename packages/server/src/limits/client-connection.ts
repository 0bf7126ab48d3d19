import { RequestError } from '../errors.ts';

/**
 * The connection of a client, with a signal that aborts when the client disconnects. The signal is created on first use: most requests end
 * before anything uses it.
 */
export class ClientConnection {
  #controller: AbortController | undefined;
  #reason: unknown = undefined;

  /** The reason for the abort; undefined if there was none. */
  get reason(): unknown {
    return this.#reason;
  }

  get hasDisconnected(): boolean {
    return this.#reason instanceof RequestError && this.#reason.code === 'client_disconnected';
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Aborts the request: the client disconnected, or the drain timeout expired. Only the first reason counts. */
  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason ?? clientDisconnected();
    this.#controller?.abort(this.#reason);
  }
}

/** Only for the log: no client receives it. 499 is the status that reverse proxies use. */
export function clientDisconnected(): RequestError {
  return new RequestError('The client closed the connection.', {
    status: 499,
    type: 'aborted',
    code: 'client_disconnected',
  });
}
