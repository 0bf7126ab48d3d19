import { moderationCategories } from '@modelwire/ports';
import * as z from 'zod';
import { patternSchema } from './pattern-schema.ts';
import { errorSchema } from './rules.ts';

const name = z.string().min(1).optional();
const times = z.int().min(1).optional();
const category = z.enum(moderationCategories);

export const moderationRuleSchema = z.strictObject({
  name,
  when: z.strictObject({ model: patternSchema.optional(), text: patternSchema.optional() }).optional(),
  reply: z.strictObject({
    flagged: z.array(category).optional(),
    scores: z.partialRecord(category, z.number().min(0).max(1)).optional(),
    error: errorSchema.omit({ afterChunks: true }).optional(),
  }),
  times,
});
export type ParsedModerationRule = z.output<typeof moderationRuleSchema>;

export const videoRuleSchema = z.strictObject({
  name,
  when: z
    .strictObject({ model: patternSchema.optional(), prompt: patternSchema.optional(), remix: z.boolean().optional() })
    .optional(),
  reply: z
    .strictObject({
      file: z.string().min(1).optional(),
      bytes: z.instanceof(Uint8Array).optional(),
      progress: z.array(z.number().min(0).max(100)).optional(),
      pace: z.number().min(0).optional(),
      failure: z.strictObject({ code: z.string().optional(), message: z.string().optional() }).optional(),
    })
    .refine(({ file, bytes }) => file === undefined || bytes === undefined, { error: "either 'file' or 'bytes'" }),
  times,
});
export type ParsedVideoRule = z.output<typeof videoRuleSchema>;
