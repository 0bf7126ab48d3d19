import type { Context, Flags } from '../command.ts';
import { limitFlags } from '../limits.ts';

/** Options that every `keys` command accepts. */
export const serverFlags = {
  config: {
    type: 'string',
    value: 'file',
    completes: 'file',
    description: 'Configuration of the server on this machine (default: ./modelwire.config.*)',
  },
  local: { type: 'boolean', description: 'Use the server in this folder although a base URL is configured' },
} as const satisfies Flags;

export const rateFlags = {
  'requests-per-minute': limitFlags['requests-per-minute'],
  'tokens-per-minute': limitFlags['tokens-per-minute'],
} as const satisfies Flags;

export type KeysContext = Context<typeof serverFlags>;
