import * as z from 'zod';
import { responseObject, string } from './fields/field.ts';

export const errorBodySchema = responseObject('ErrorBody', 'The body of every response that is not a success.', {
  error: z
    .looseObject({
      message: string(
        'Human-readable description of the problem. The text may change.',
        "Missing required parameter: 'messages'.",
      ),
      type: string(
        '`invalid_request_error` below status 500, `server_error` from there on; at 429 what ran out: `requests` or `tokens`.',
        'invalid_request_error',
      ),
      param: z
        .string()
        .nullable()
        .meta({ description: 'Path of the field at fault.', examples: ['messages'] }),
      code: z
        .string()
        .nullable()
        .meta({
          description: 'Machine-readable code. Null if the status is sufficient.',
          examples: ['missing_required_parameter'],
        }),
    })
    .describe('What went wrong.'),
});
