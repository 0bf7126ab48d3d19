import { moderationCreateParamsSchema, moderationSchema } from '../moderations.ts';
import { createModeration } from '../routes.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import * as errors from './errors.ts';

export const moderationEndpoints = endpoints(
  {
    'moderations.create': endpoint(
      createModeration,
      'Classify texts and images by categories of potential harm.',
      moderationSchema,
      {
        section: 'Create moderation',
        access: 'infer',
        request: [
          json(moderationCreateParamsSchema, {
            'A text': { input: 'I will find you and hurt you.' },
            'Several texts': { input: ['Good morning.', 'I will find you and hurt you.'] },
          }),
        ],
        responseHeaders: {
          'x-modelwire-unjudged-categories':
            'Categories that the model did not judge for at least one input, separated by commas: they are false without having been examined. Only where there are any.',
        },
        errors: errors.modelFailed,
      },
    ),
  },
  ['moderations'],
);
