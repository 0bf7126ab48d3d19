import { moderationCreateParamsSchema, moderationSchema } from '../moderations.ts';
import { createModeration } from '../routes.ts';
import { endpoint, json, idempotencyKeyInUse, unknownModel, unsupported, upstreamFailed } from './endpoint.ts';

export const moderationEndpoints = {
  'moderations.create': endpoint('moderations.create', {
    route: createModeration,
    summary: 'Classify texts and images by categories of potential harm.',
    section: 'Create moderation',
    request: [
      json(moderationCreateParamsSchema, {
        'A text': { input: 'I will find you and hurt you.' },
        'Several texts': { input: ['Good morning.', 'I will find you and hurt you.'] },
      }),
    ],
    response: moderationSchema,
    errors: [unknownModel, unsupported, idempotencyKeyInUse, ...upstreamFailed],
  }),
};
