import * as z from 'zod';

export const errorBodySchema = z
  .looseObject({
    error: z
      .looseObject({
        message: z.string().meta({
          description: 'What is wrong, for people. The text may change.',
          examples: ["Missing required parameter: 'messages'."],
        }),
        type: z.string().meta({
          description:
            '`invalid_request_error` below status 500, `server_error` from there on; at 429 what ran out: `requests` or `tokens`.',
          examples: ['invalid_request_error'],
        }),
        param: z
          .string()
          .nullable()
          .meta({ description: 'Path of the field at fault.', examples: ['messages'] }),
        code: z
          .string()
          .nullable()
          .meta({
            description: 'A code for programs. Null where the status says it all.',
            examples: ['missing_required_parameter'],
          }),
      })
      .describe('What went wrong.'),
  })
  .meta({ id: 'ErrorBody', description: 'The body of every response that is not a success.' });
