import * as z from 'zod';
import { RESPONSE_INCLUDES_MAX } from '../limits.ts';

/** `include` of requests about responses and items: every value of the API, also those that have no effect here. */
export const responseIncludes = z
  .array(
    z.enum([
      'message.output_text.logprobs',
      'reasoning.encrypted_content',
      'web_search_call.action.sources',
      'web_search_call.results',
      'file_search_call.results',
      'code_interpreter_call.outputs',
      'computer_call_output.output.image_url',
      'message.input_image.image_url',
    ]),
  )
  .max(RESPONSE_INCLUDES_MAX)
  .optional();
