import { randomId } from '../ids.ts';
import type { UsedTier } from '../limits/engine-queue.ts';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { nowInSeconds } from '../sources.ts';

/** What all chunks of a completion, and the completion itself, say alike. */
export interface Heading {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly service_tier: UsedTier;
}

export function heading({ model }: ChatCompletionCreateParams, service_tier: UsedTier): Heading {
  return { id: randomId('chatcmpl-'), created: nowInSeconds(), model, service_tier };
}
