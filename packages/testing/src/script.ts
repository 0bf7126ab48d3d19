import * as z from 'zod';
import { ScriptError, problemsOf } from './problems.ts';
import { faultSchema } from './faults/schema.ts';
import type { Fault, FaultName } from './faults/types.ts';
import { chatRuleSchema } from './replies/rules.ts';
import { moderationRuleSchema, videoRuleSchema } from './replies/rules-of-work.ts';
import type { ChatRule, ModerationRule, Reply, ReplyFunction, VideoRule } from './replies/types.ts';

/** What a server is to say: the same in programs and in files. */
export interface Script {
  /** Rules for chat, asked one after the other; a text or a function alone answers everything. */
  readonly replies?: readonly (ChatRule | string | ReplyFunction)[] | Reply | ReplyFunction;
  /** Rules for moderation. Without any, nothing is flagged. */
  readonly moderations?: readonly ModerationRule[];
  /** Rules for videos. Without any, each is a few bytes and done at once. */
  readonly videos?: readonly VideoRule[];
  /** What goes wrong, and when. A name alone is a fault with its defaults. */
  readonly faults?: readonly (Fault | SimpleFault)[];
  /** The only chat models. Default: any. */
  readonly models?: readonly string[];
  /** What no rule fits: an error that shows what was asked and expected, or the embedded simulator answers. Default `error`. */
  readonly unmatched?: 'error' | 'simulator';
}

/** Faults that need nothing said. */
export type SimpleFault = Exclude<FaultName, 'latency' | 'token-pace' | 'slow-body'>;

/** One rule for everything, where no list was given. */
const repliesSchema = z.preprocess((given) => {
  if (given === undefined) return [];
  if (Array.isArray(given)) return given as unknown[];
  return [typeof given === 'object' && given !== null ? { reply: given } : given];
}, z.array(chatRuleSchema));

export const scriptFields = {
  replies: repliesSchema,
  moderations: z.array(moderationRuleSchema).default([]),
  videos: z.array(videoRuleSchema).default([]),
  faults: z.array(faultSchema).default([]),
  models: z.array(z.string().min(1)).min(1).optional(),
  unmatched: z.enum(['error', 'simulator']).default('error'),
};
export const scriptSchema = z.strictObject(scriptFields);
export type ParsedScript = z.output<typeof scriptSchema>;

/** @throws ScriptError that says what is wrong, and where. */
export function parseScript<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ScriptError(problemsOf(parsed.error));
}
