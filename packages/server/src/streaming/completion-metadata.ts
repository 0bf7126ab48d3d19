import { randomId } from '../ids.ts';
import type { UsedTier } from '../limits/engine-queue.ts';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { nowInSeconds } from '../sources.ts';

/** Fields that all chunks of a completion and the completion itself share. */
export interface CompletionMetadata {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly service_tier: UsedTier;
}

export function completionMetadata({ model }: ChatCompletionCreateParams, service_tier: UsedTier): CompletionMetadata {
  return { id: randomId('chatcmpl-'), created: nowInSeconds(), model, service_tier };
}
