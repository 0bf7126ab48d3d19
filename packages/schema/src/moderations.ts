import * as z from 'zod';
import { constant, openEnum, requestObject, responseObject, string } from './fields/field.ts';
import { imageUrlSchema } from './fields/image-url.ts';
import { MODERATION_INPUTS_MAX } from './limits.ts';

/** One field per category. The older text-only response omits the last two (API: Moderation object). */
const byCategory = <Value extends z.ZodType>(value: (category: string) => Value) =>
  z.looseObject({
    sexual: value('sexual'),
    hate: value('hate'),
    harassment: value('harassment'),
    'self-harm': value('self-harm'),
    'sexual/minors': value('sexual/minors'),
    'hate/threatening': value('hate/threatening'),
    'violence/graphic': value('violence/graphic'),
    'self-harm/intent': value('self-harm/intent'),
    'self-harm/instructions': value('self-harm/instructions'),
    'harassment/threatening': value('harassment/threatening'),
    violence: value('violence'),
    illicit: value('illicit').optional(),
    'illicit/violent': value('illicit/violent').optional(),
  });

export const moderationTextInputSchema = requestObject('ModerationTextInput', 'A text to classify.', {
  type: constant('text'),
  text: z.string().describe('The text.'),
});

export const moderationImageInputSchema = requestObject('ModerationImageInput', 'An image to classify.', {
  type: constant('image_url'),
  image_url: z
    .strictObject({ url: imageUrlSchema.describe('URL of an image, or a data URL with the image in base64.') })
    .describe('The image.'),
});

export const moderationCreateParamsSchema = requestObject('ModerationCreateParams', 'A request for a moderation.', {
  input: z
    .union([
      z.string(),
      z.array(z.string()).min(1).max(MODERATION_INPUTS_MAX),
      z
        .array(z.discriminatedUnion('type', [moderationTextInputSchema, moderationImageInputSchema]))
        .min(1)
        .max(MODERATION_INPUTS_MAX),
    ])
    .meta({
      description: 'One or several texts, or texts and images together.',
      examples: ['I will find you and hurt you.'],
    }),
  model: openEnum(['omni-moderation-latest', 'omni-moderation-2024-09-26'])
    .optional()
    .meta({ description: 'ID of the moderation model.', default: 'omni-moderation-latest' }),
});

export const moderationSchema = responseObject('Moderation', 'A classification of texts and images.', {
  id: string('ID of the moderation.', 'modr-abc123'),
  model: string('Model that classified the input.', 'omni-moderation-latest'),
  results: z
    .array(
      z.looseObject({
        flagged: z.boolean().describe('Whether the input is potentially harmful.'),
        categories: byCategory((name) => z.boolean().describe(`Whether the input falls into \`${name}\`.`)).describe(
          'Whether the input falls into each category.',
        ),
        category_scores: byCategory((name) =>
          z.number().meta({ description: `Score of \`${name}\`, from 0 to 1.`, examples: [0.01] }),
        ).describe('A score for each category.'),
        category_applied_input_types: byCategory((name) =>
          z.array(openEnum(['text', 'image'])).describe(`Input types that \`${name}\` was applied to.`),
        )
          .optional()
          .describe('Input types that each category was applied to. Absent for text-only models.'),
        category_thresholds: z
          .record(z.string(), z.number())
          .optional()
          .meta({
            description:
              'The score from which each category is flagged. Absent for models that do not decide by thresholds; without categories that were not scored.',
            examples: [{ violence: 0.5 }],
          }),
      }),
    )
    .describe('One entry for each input.'),
});
