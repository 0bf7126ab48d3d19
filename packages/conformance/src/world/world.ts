import type { EndpointId } from '@modelwire/schema';
import type { Answer } from '../exchange/answer.ts';
import type { Call } from '../exchange/call.ts';
import type { Seen } from '../exchange/sender.ts';
import type { Settings } from '../options.ts';
import type { Cleanup } from './cleanup.ts';

/** Whether an endpoint is served; `answer` is what it said to a proper request. */
export type Serving =
  | { readonly served: false; readonly answer: Answer }
  | { readonly served: true; readonly answer: Answer }
  /** It is, but no proper request could be made: `why` says what that takes. */
  | { readonly served: true; readonly answer?: undefined; readonly reason: string };

/** What checks act in: the server, what this run made there, and what was already asked. */
export interface World {
  /** A word that only this run uses: it marks what the run makes. */
  readonly run: string;
  readonly settings: Settings;
  readonly seen: Seen;
  readonly cleanup: Cleanup;
  /** What was found out on the way. */
  readonly known: { chat?: string };
  send(call: Call): Promise<Answer>;
  /** Sends it once, however many checks ask. */
  asked(name: string, call: () => Promise<Call> | Call): Promise<Answer>;
  /** Makes a thing once; the promise rejects with a `Skip` for all where that fails. */
  made(name: string, make: () => Promise<string>): Promise<string>;
  chatModel(): Promise<string>;
  /** Whether the endpoint is served, and what it answered to a proper request. */
  serving(endpoint: EndpointId): Promise<Serving>;
  /** Waits, or rejects when the run ends. */
  pause(ms: number): Promise<void>;
}
