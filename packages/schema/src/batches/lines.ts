import * as z from 'zod';
import { jsonObject, text } from '../fields/field.ts';
import { CUSTOM_ID_MAX_LENGTH } from '../limits.ts';
import { batchEndpointSchema } from './requests.ts';

/** One line of a batch's input file. */
export const batchInputLineSchema = z
  .strictObject({
    custom_id: text({ min: 1, max: CUSTOM_ID_MAX_LENGTH }).describe('Names the line; unique in its file.'),
    method: z.literal('POST'),
    url: batchEndpointSchema,
    body: jsonObject().describe('The request body of the endpoint.'),
  })
  .meta({ id: 'BatchInputLine' });

/** One line of a batch's output or error file. */
export const batchOutputLineSchema = z
  .looseObject({
    id: z.string(),
    custom_id: z.string(),
    response: z.looseObject({ status_code: z.int(), request_id: z.string(), body: jsonObject() }).nullable(),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'BatchOutputLine' });
