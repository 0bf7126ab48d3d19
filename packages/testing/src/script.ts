import * as z from 'zod';
import { ScriptError, problemsOf } from './problems.ts';
import { faultSchema } from './faults/schema.ts';
import type { Fault, FaultName } from './faults/types.ts';
import { chatRuleSchema } from './replies/rules.ts';
import { moderationRuleSchema, videoRuleSchema } from './replies/job-rules.ts';
import type { ChatRule, ModerationRule, Reply, ReplyFunction, VideoRule } from './replies/types.ts';

/** The script of a server, in programs and in files. */
export interface Script {
  /** Rules for chat, in order. A text or a function matches every request. */
  readonly replies?: readonly (ChatRule | string | ReplyFunction)[] | Reply | ReplyFunction;
  /** Rules for moderation. Without any, nothing is flagged. */
  readonly moderations?: readonly ModerationRule[];
  /** Rules for videos. Without any, each video completes immediately with a few bytes. */
  readonly videos?: readonly VideoRule[];
  /** Faults. A name is a fault with its defaults. */
  readonly faults?: readonly (Fault | SimpleFault)[];
  /** The only chat models. Default: any. */
  readonly models?: readonly string[];
  /** Requests that match no rule: an error with the request and the rules, or a reply of the embedded simulator. Default `error`. */
  readonly unmatched?: 'error' | 'simulator';
}

/** Faults without required options. */
export type SimpleFault = Exclude<FaultName, 'latency' | 'token-pace' | 'slow-body'>;

/** One rule for all requests if there is no list. */
const repliesSchema = z.preprocess((input) => {
  if (input === undefined) return [];
  if (Array.isArray(input)) return input as unknown[];
  return [typeof input === 'object' && input !== null ? { reply: input } : input];
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

/** @throws ScriptError with the problems and their paths. */
export function parseScript<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ScriptError(problemsOf(parsed.error));
}
