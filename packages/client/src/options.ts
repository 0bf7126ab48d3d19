import type { TransportOptions } from '@modelwire/core';
import { environmentVariable } from './environment.ts';
import { validationOptions } from './validation.ts';
import type { ValidationOptions } from './validation.ts';

/** Options of the client. The API key and the base URL default to environment variables, where there is an environment. */
export interface ModelwireOptions extends TransportOptions, ValidationOptions {
  /** Default: `MODELWIRE_API_KEY`. */
  readonly apiKey?: TransportOptions['apiKey'];
  /** Ends in the version prefix. Default: `MODELWIRE_BASE_URL`, else `http://127.0.0.1:8787/v1`. */
  readonly baseURL?: string | undefined;
}

/** The transport options: those of the caller, with defaults from the environment, and with validation. */
export function resolveOptions(options: ModelwireOptions): TransportOptions {
  return {
    ...options,
    ...validationOptions(options),
    apiKey: options.apiKey ?? environmentVariable('MODELWIRE_API_KEY'),
    baseURL: options.baseURL ?? environmentVariable('MODELWIRE_BASE_URL'),
  };
}
