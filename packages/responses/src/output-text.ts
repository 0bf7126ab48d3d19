import type { ResponseObject } from '@modelwire/schema/types';

/** A response with its text. */
export type ModelResponse = ResponseObject & {
  /** The text of all messages in `output`, joined. Computed by this client. */
  readonly output_text: string;
};

export function withOutputText(response: ResponseObject): ModelResponse {
  let output_text = '';
  for (const item of response.output) {
    if (item.type !== 'message') continue;
    for (const part of item.content) if (part.type === 'output_text') output_text += part.text;
  }
  return { ...response, output_text };
}
