import * as z from 'zod';
import { constant, openEnum, requestObject, responseObject, string } from './fields/field.ts';
import { imageUrlSchema } from './fields/image-url.ts';
import { moderationResult } from './fields/moderation-result.ts';
import { MODERATION_INPUTS_MAX } from './limits.ts';

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
  results: z.array(z.looseObject(moderationResult)).describe('One entry for each input.'),
});
