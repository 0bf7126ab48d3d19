import * as z from 'zod';
import { patternSchema } from '../replies/pattern-schema.ts';
import { chatMatcherSchema } from '../replies/rules.ts';

const ms = z.number().min(0);
const count = z.int().min(0);
const text = z.string();

const matcher = chatMatcherSchema.extend({
  method: z.string().toUpperCase().optional(),
  path: patternSchema.optional(),
});
const when = {
  when: matcher.default({}),
  times: z.union([z.int().min(1), z.literal('always')], { error: "expected a number or 'always'" }).default(1),
  skip: count.default(0),
};
const broken = { ...when, afterChunks: count.optional(), processed: z.boolean().optional() };

const faults = z.discriminatedUnion('fault', [
  z.strictObject({ ...when, fault: z.literal('latency'), ms }),
  z.strictObject({ ...when, fault: z.literal('token-pace'), ms }),
  z.strictObject({ ...broken, fault: z.literal('drop') }),
  z.strictObject({ ...broken, fault: z.literal('reset') }),
  z.strictObject({ ...broken, fault: z.literal('stall'), ms: ms.optional() }),
  z.strictObject({ ...when, fault: z.literal('malformed-frame'), atChunk: z.int().min(1).default(2) }),
  z.strictObject({ ...when, fault: z.literal('split-utf8') }),
  z.strictObject({ ...when, fault: z.literal('truncated'), afterChunks: count.optional() }),
  z.strictObject({ ...when, fault: z.literal('content-type'), type: text.default('text/html') }),
  z.strictObject({ ...when, fault: z.literal('rate-limit'), retryAfter: ms.default(1) }),
  z.strictObject({
    ...when,
    fault: z.literal('server-error'),
    status: z.int().min(400).max(599).default(500),
    message: text.default('A planned fault: the server had an error.'),
  }),
  z.strictObject({ ...when, fault: z.literal('slow-body'), bytesPerSecond: z.number().min(1) }),
  z.strictObject({ ...when, fault: z.literal('out-of-order'), of: z.int().min(2).default(2), ms: ms.default(1000) }),
  z.strictObject({
    ...when,
    fault: z.literal('batch-line'),
    status: z.int().min(400).max(599).default(400),
    message: text.default('A planned fault: this line failed.'),
    code: text.default('planned_fault'),
  }),
  z.strictObject({
    ...when,
    fault: z.literal('video-failure'),
    code: text.default('planned_fault'),
    message: text.default('A planned fault: the video failed.'),
  }),
]);

/** A name is a fault with its defaults. `out-of-order` affects `of` requests. */
export const faultSchema = z.preprocess((given: unknown) => {
  const fault: unknown = typeof given === 'string' ? { fault: given } : given;
  if (typeof fault !== 'object' || fault === null || !('fault' in fault)) return fault;
  if (fault.fault !== 'out-of-order' || 'times' in fault) return fault;
  return { ...fault, times: 'of' in fault ? fault.of : 2 };
}, faults);
export type PlannedFault = z.output<typeof faults>;
export type PlannedFaultOf<Name extends PlannedFault['fault']> = Extract<PlannedFault, { readonly fault: Name }>;
