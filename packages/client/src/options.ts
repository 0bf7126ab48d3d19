import type { TransportOptions } from '@modelwire/core';
import { fromEnvironment } from './environment.ts';
import { validating } from './validation.ts';
import type { ValidationOptions } from './validation.ts';

/** How to reach the server. What is not given comes from the environment, where there is one. */
export interface ModelwireOptions extends TransportOptions, ValidationOptions {
  /** Default: `MODELWIRE_API_KEY`. */
  readonly apiKey?: TransportOptions['apiKey'];
  /** Ends in the version prefix. Default: `MODELWIRE_BASE_URL`, else `http://127.0.0.1:8787/v1`. */
  readonly baseURL?: string | undefined;
}

/** What a transport takes: what was given, the environment's word for what was not, and validation where it is wanted. */
export function resolveOptions(given: ModelwireOptions): TransportOptions {
  return {
    ...given,
    ...validating(given),
    apiKey: given.apiKey ?? fromEnvironment('MODELWIRE_API_KEY'),
    baseURL: given.baseURL ?? fromEnvironment('MODELWIRE_BASE_URL'),
  };
}
