import type { EndpointId } from '@modelwire/schema';
import type { Check } from '../check.ts';
import { answerChecks } from './contract/answers.ts';
import { fieldChecks } from './contract/fields.ts';
import { refusalChecks } from './contract/refusals.ts';
import { requestChecks } from './contract/requests.ts';

/** Checks derived from the contract, for every endpoint. */
export function contractChecks(): readonly Check[] {
  return endpointIds.flatMap((id) => [
    ...answerChecks(id),
    ...fieldChecks(id),
    ...requestChecks(id),
    ...refusalChecks(id),
  ]);
}

export const endpointIds: readonly EndpointId[] = [
  'chat.completions.create',
  'chat.completions.list',
  'chat.completions.retrieve',
  'chat.completions.update',
  'chat.completions.delete',
  'chat.completions.messages.list',
  'completions.create',
  'embeddings.create',
  'responses.create',
  'responses.retrieve',
  'responses.delete',
  'responses.cancel',
  'responses.input_items.list',
  'responses.input_tokens.count',
  'responses.compact',
  'conversations.create',
  'conversations.retrieve',
  'conversations.update',
  'conversations.delete',
  'conversations.items.create',
  'conversations.items.list',
  'conversations.items.retrieve',
  'conversations.items.delete',
  'moderations.create',
  'batches.create',
  'batches.list',
  'batches.retrieve',
  'batches.cancel',
  'uploads.create',
  'uploads.parts.create',
  'uploads.complete',
  'uploads.cancel',
  'files.create',
  'files.list',
  'files.retrieve',
  'files.delete',
  'files.content',
  'videos.create',
  'videos.list',
  'videos.retrieve',
  'videos.delete',
  'videos.content',
  'videos.remix',
  'models.list',
  'models.retrieve',
  'capabilities.retrieve',
  'usage.completions',
];
