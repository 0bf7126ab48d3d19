import type { ServerOptions } from '@modelwire/server';
import * as z from 'zod';
import { parseScript, scriptFields } from '../script.ts';
import type { Script } from '../script.ts';

export interface TestServerOptions extends Script {
  /** Where it listens; 0 for one that is free, `false` for none: `fetch` needs none. Default 0. */
  readonly port?: number | false;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** The key that callers send. Default `test-key`. */
  readonly apiKey?: string;
  /** `counted`: `chatcmpl-000000000000000000000001` and so on, for each kind of object; or `random`, as on a real server. Default `counted`. */
  readonly ids?: 'counted' | 'random';
  /** What time objects are stamped with and expire by: a date (or its text, or Unix milliseconds) that stands still, or a clock of yours. Default: the real one. */
  readonly now?: Date | string | number | (() => number);
  /** How many of the last requests are kept for `requests`. Default 1000. */
  readonly keepRequests?: number;
  /** Options of the server kit, over those of the test server: limits, moderation of chat, further engines. */
  readonly kit?: Partial<ServerOptions>;
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
  keepRequests: z.int().min(1).default(1000),
  kit: z.custom<Partial<ServerOptions>>((value) => typeof value === 'object' && value !== null).default({}),
});
export type FullOptions = z.output<typeof schema>;

/** @throws ScriptError that says what is wrong, and where. */
export function fullOptions(given: TestServerOptions): FullOptions {
  return parseScript(schema, given);
}
