import { RequestError } from '../errors.ts';

/**
 * The connection of a client. Its signal aborts when the client disconnects, its JSON body arrives too slowly, or the drain timeout expires. Only the
 * first reason counts.
 */
export class ClientConnection extends AbortController {
  /** The reason for the abort; undefined if there was none. */
  get reason(): unknown {
    const reason: unknown = this.signal.reason;
    return reason;
  }

  get hasDisconnected(): boolean {
    return this.reason instanceof RequestError && this.reason.code === 'client_disconnected';
  }

  override abort(reason: unknown): void {
    super.abort(reason ?? clientDisconnected());
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
