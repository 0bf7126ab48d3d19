import * as z from 'zod';
import { text } from '../field.ts';

const DESCRIPTIONS: Readonly<Record<string, { readonly description: string; readonly example: string }>> = {
  completion_id: { description: 'ID of a stored completion.', example: 'chatcmpl-abc123' },
  batch_id: { description: 'ID of the batch.', example: 'batch_abc123' },
  upload_id: { description: 'ID of the upload.', example: 'upload_abc123' },
  file_id: { description: 'ID of the file.', example: 'file-abc123' },
  video_id: { description: 'ID of the video.', example: 'video_abc123' },
  response_id: { description: 'ID of a stored response.', example: 'resp_abc123' },
  conversation_id: { description: 'ID of the conversation.', example: 'conv_abc123' },
  item_id: { description: 'ID of the item.', example: 'msg_abc123' },
  project_id: { description: 'ID of the project.', example: 'default' },
  api_key_id: { description: 'ID of the API key.', example: 'key_abc123' },
  budget_id: { description: 'ID of the budget.', example: 'budget_abc123' },
  webhook_id: { description: 'ID of the webhook.', example: 'webhook_abc123' },
  delivery_id: { description: 'ID of the delivery.', example: 'evt_batch_abc123.webhook_abc123' },
  model: { description: 'ID of a model. It may contain slashes.', example: 'simulator' },
};

/**
 * The parameters of a path with `{name}` placeholders: strings of at least one character.
 *
 * @throws an Error for a name without a description here.
 */
export function pathParameters(path: string): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return z.strictObject(
    Object.fromEntries(
      names.map((name) => {
        const known = DESCRIPTIONS[name];
        if (!known) throw new Error(`The path parameter '${name}' of ${path} has no description.`);
        return [name, text({ min: 1 }).meta({ description: known.description, examples: [known.example] })];
      }),
    ),
  );
}
