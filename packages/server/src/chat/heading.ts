import { randomId } from '../ids.ts';
import type { UsedTier } from '../engine-queue.ts';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';

/** What all chunks of a completion, and the completion itself, say alike. */
export interface Heading {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly service_tier: UsedTier;
}

export function heading({ model }: ChatCompletionCreateParams, service_tier: UsedTier): Heading {
  return { id: randomId('chatcmpl-'), created: Math.floor(Date.now() / 1000), model, service_tier };
}
