import { moderationCreateParamsSchema, moderationSchema } from '../moderations.ts';
import { createModeration } from '../routes.ts';
import { endpoint, json, unknownModel } from './endpoint.ts';

export const moderationEndpoints = {
  'moderations.create': endpoint('moderations.create', {
    route: createModeration,
    summary: 'Say which categories of harm texts and images fall into.',
    section: 'Create moderation',
    request: [json(moderationCreateParamsSchema)],
    response: moderationSchema,
    errors: [unknownModel],
  }),
};
