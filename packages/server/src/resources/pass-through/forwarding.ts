import type { PassThrough } from '@modelwire/ports';
import type { Access } from '../../admission/work.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { SuggestPath } from '../../http/nearest-path.ts';
import type { ForwardedUsage } from '../../http/pass-through/forwarded-usage.ts';

/** A request that is being forwarded. */
export interface Forwarding {
  readonly call: Call;
  readonly server: ServerContext;
  readonly passThrough: PassThrough;
  readonly suggestPath: SuggestPath;
  readonly access: Access;
  /** Below `/v1`, without its query. */
  readonly path: string;
  /** With its `?`; empty if there is none. */
  readonly query: string;
  /** Undefined for a request whose reply has no usage. */
  readonly usage: ForwardedUsage | undefined;
  /** Ends the request at the upstream. */
  readonly abort: AbortController;
  /** Aborts when the client leaves, too. */
  readonly signal: AbortSignal;
  /** Called when it is known which model the request names. */
  readonly onModel: (model: string) => void;
}
