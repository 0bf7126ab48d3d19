import type { ServerOptions } from '@modelwire/server';
import * as z from 'zod';
import { parseScript, scriptFields } from '../script.ts';
import type { Script } from '../script.ts';

export interface TestServerOptions extends Script {
  /** The port; 0 for a free one, `false` for none, since `fetch` needs none. Default 0. */
  readonly port?: number | false;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** The API key. Default `test-key`. */
  readonly apiKey?: string;
  /** `counted`: `chatcmpl-000000000000000000000001` and so on, for each kind of object; or `random`, as on a real server. Default `counted`. */
  readonly ids?: 'counted' | 'random';
  /** The clock for timestamps and expiry: a fixed time (a date, its text, or Unix milliseconds), or a function. Default: the real time. */
  readonly now?: Date | string | number | (() => number);
  /** How many of the last requests are in `requests`. Default 1000. */
  readonly maxRequests?: number;
  /** Options of `createServer` that override those of the test server, such as limits, moderation, or further engines. */
  readonly serverOptions?: Partial<ServerOptions>;
}

const clock = z.custom<() => number>((value) => typeof value === 'function');
const instant = z
  .union([z.date(), z.string(), z.number()])
  .transform((given) => new Date(given).getTime())
  .refine((time) => Number.isFinite(time));

const schema = z.strictObject({
  ...scriptFields,
  port: z.union([z.literal(false), z.int().min(0).max(65_535)]).default(0),
  host: z.string().min(1).default('127.0.0.1'),
  apiKey: z.string().min(1).default('test-key'),
  ids: z.enum(['counted', 'random']).default('counted'),
  now: z.union([clock, instant.optional()], { error: 'expected a date, or a function that gives Unix milliseconds' }),
  maxRequests: z.int().min(1).default(1000),
  serverOptions: z.custom<Partial<ServerOptions>>((value) => typeof value === 'object' && value !== null).default({}),
});
export type ResolvedOptions = z.output<typeof schema>;

/** @throws ScriptError with the problems and their paths. */
export function parseOptions(given: TestServerOptions): ResolvedOptions {
  return parseScript(schema, given);
}
