import type { GenerationObservation } from '@modelwire/ports';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { BudgetReservation } from '../limits/budgets.ts';
import type { ServerContext } from '../context.ts';
import type { ResolvedChatModel } from '../model-registry.ts';
import type { CompletionMetadata } from '../streaming/completion-metadata.ts';
import type { UsageTracker } from '../streaming/usage-tracker.ts';
import type { GenerationPlan } from './normalise.ts';

/** An admitted request to an engine. */
export interface Generation {
  readonly call: Call<ChatCompletionCreateParams>;
  readonly server: ServerContext;
  readonly resolvedModel: ResolvedChatModel;
  /** The body that engines may forward, with its inputs loaded. */
  readonly forwardedBody: ChatCompletionCreateParams;
  readonly plan: GenerationPlan;
  readonly metadata: CompletionMetadata;
  /** Tokens that are reserved in the rate limiter. */
  readonly reserved: number;
  /** The reservation in its budgets; undefined if it has none. */
  readonly budget: BudgetReservation | undefined;
  readonly usageTracker: UsageTracker;
  /** Undefined if nothing is observed. */
  readonly observation: GenerationObservation | undefined;
  /** Releases the slot at the engine. Call it once, when the generation has ended. */
  readonly release: () => void;
}
