import type { EndpointId } from '@modelwire/schema';
import type { CompleteResponse } from '../exchange/response.ts';
import type { Call } from '../exchange/call.ts';
import type { ExchangeStats } from '../exchange/sender.ts';
import type { Settings } from '../options.ts';
import type { Cleanup } from './cleanup.ts';

/** Whether an endpoint is served; `response` is its response to a valid request. */
export type EndpointAvailability =
  | { readonly served: false; readonly response: CompleteResponse }
  | { readonly served: true; readonly response: CompleteResponse }
  /** Served, but no valid request could be made, for this `reason`. */
  | { readonly served: true; readonly response?: undefined; readonly reason: string };

/** The environment of checks: the server, what this run created there, and cached responses. */
export interface RunContext {
  /** A word unique to this run, which marks what the run creates. */
  readonly runId: string;
  readonly settings: Settings;
  readonly stats: ExchangeStats;
  readonly cleanup: Cleanup;
  /** Observations during the run. */
  readonly detectedModels: { chat?: string };
  send(call: Call): Promise<CompleteResponse>;
  /** Waits until the requests in flight that may create something have ended, at most 5 s. */
  settle(): Promise<void>;
  /** Sends equal calls once, however many checks request them. */
  sendOnce(name: string, call: () => Promise<Call> | Call): Promise<CompleteResponse>;
  /** Creates an object once; after a failure the promise rejects with a `Skip` for all callers. */
  createOnce(name: string, make: () => Promise<string>): Promise<string>;
  chatModel(): Promise<string>;
  /** Whether the endpoint is served, and its response to a valid request. */
  probe(endpoint: EndpointId): Promise<EndpointAvailability>;
  /** Waits, or rejects when the run ends. */
  pause(ms: number): Promise<void>;
}
