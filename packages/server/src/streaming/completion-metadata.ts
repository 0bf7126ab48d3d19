import type { ResolvedServiceTier } from '../limits/tiered-queue.ts';

/** Fields that all chunks of a completion and the completion itself share. */
export interface CompletionMetadata {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly service_tier: ResolvedServiceTier;
}
