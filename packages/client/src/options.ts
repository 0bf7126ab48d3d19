import type { TransportOptions } from '@modelwire/core';
import { fromEnvironment } from './environment.ts';

/** How to reach the server. What is not given comes from the environment, where there is one. */
export interface ModelwireOptions extends TransportOptions {
  /** Default: `MODELWIRE_API_KEY`. */
  readonly apiKey?: TransportOptions['apiKey'];
  /** Ends in the version prefix. Default: `MODELWIRE_BASE_URL`, else `http://127.0.0.1:8787/v1`. */
  readonly baseURL?: string | undefined;
}

/** What was given, with the environment's word for what was not. */
export function resolveOptions(given: ModelwireOptions): ModelwireOptions {
  return {
    ...given,
    apiKey: given.apiKey ?? fromEnvironment('MODELWIRE_API_KEY'),
    baseURL: given.baseURL ?? fromEnvironment('MODELWIRE_BASE_URL'),
  };
}
