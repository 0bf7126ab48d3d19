import type { ChatModel } from '@modelwire/ports';
import type { ModerationCategory } from '@modelwire/schema/types';
import type { ApiKeys } from '../keys/keys.ts';

/** A server that was started, in this process or in several. */
export interface StartedServer {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Address of the console, with a one-time code that signs in and is valid for ten minutes; undefined if there is none. */
  readonly consoleUrl: string | undefined;
  readonly keys: ServerSummary['keys'];
  /** Its chat models. */
  readonly models: () => readonly Pick<ChatModel, 'id' | 'runtime' | 'dialect'>[];
  /** The categories that its moderation does not judge. */
  readonly unjudgedCategories: readonly ModerationCategory[];
  /**
   * Stops accepting requests, waits up to `drainMs` for running ones, and closes everything.
   *
   * @throws AggregateError with the errors of what failed to close, after everything else is closed.
   */
  stop(): Promise<void>;
}

/** What is shown of a server at startup. Plain data. */
export interface ServerSummary extends Pick<StartedServer, 'url' | 'consoleUrl' | 'unjudgedCategories'> {
  readonly keys: Pick<ApiKeys, 'from' | 'created' | 'file' | 'count' | 'shortKeys'>;
  /** IDs of its chat models. */
  readonly modelIds: readonly string[];
}

export interface StartOptions {
  /** Writes the progress of downloads to the console. Default: nothing is written. */
  readonly print?: ((text: string) => void) | undefined;
}
