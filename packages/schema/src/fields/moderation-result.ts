import * as z from 'zod';
import { openEnum } from './field.ts';

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

/** The fields of a result. */
export const moderationResult = {
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
    .describe(
      'Input types that each category was applied to: none if the model does not judge the category. Absent for text-only models.',
    ),
  category_thresholds: z
    .record(z.string(), z.number())
    .optional()
    .meta({
      description:
        'The score from which each category is flagged. Absent for models that do not decide by thresholds; without categories that were not scored.',
      examples: [{ violence: 0.5 }],
    }),
};
