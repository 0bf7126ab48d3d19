import * as z from 'zod';
import { open } from './field.ts';
import { imageUrlSchema } from './image-url.ts';

/** One field for each category; the older text-only response leaves out the last two (interface: Moderation object). */
const byCategory = <Value extends z.ZodType>(value: Value) =>
  z.looseObject({
    sexual: value,
    hate: value,
    harassment: value,
    'self-harm': value,
    'sexual/minors': value,
    'hate/threatening': value,
    'violence/graphic': value,
    'self-harm/intent': value,
    'self-harm/instructions': value,
    'harassment/threatening': value,
    violence: value,
    illicit: value.optional(),
    'illicit/violent': value.optional(),
  });

export const moderationTextInputSchema = z
  .strictObject({ type: z.literal('text'), text: z.string() })
  .meta({ id: 'ModerationTextInput' });

export const moderationImageInputSchema = z
  .strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: imageUrlSchema }) })
  .meta({ id: 'ModerationImageInput' });

export const moderationCreateParamsSchema = z
  .strictObject({
    input: z
      .union([
        z.string(),
        z.array(z.string()).min(1),
        z.array(z.discriminatedUnion('type', [moderationTextInputSchema, moderationImageInputSchema])).min(1),
      ])
      .describe('What to classify.'),
    model: z
      .enum(['omni-moderation-latest', 'omni-moderation-2024-09-26'])
      .optional()
      .meta({ default: 'omni-moderation-latest' }),
  })
  .meta({ id: 'ModerationCreateParams' });

export const moderationSchema = z
  .looseObject({
    id: z.string(),
    model: z.string(),
    results: z.array(
      z.looseObject({
        flagged: z.boolean(),
        categories: byCategory(z.boolean()),
        category_scores: byCategory(z.number()),
        category_applied_input_types: byCategory(z.array(open(['text', 'image']))).optional(),
      }),
    ),
  })
  .meta({ id: 'Moderation' });
