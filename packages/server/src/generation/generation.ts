import type { GenerationObservation } from '@modelwire/ports';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { BudgetReservation } from '../limits/budgets.ts';
import type { ServerContext } from '../context.ts';
import type { ResolvedChatModel } from '../model-registry.ts';
import type { CompletionMetadata } from '../streaming/completion-metadata.ts';
import type { UsageTracker } from '../streaming/usage-tracker.ts';
import type { GenerationPlan } from './normalise.ts';

/** One accepted request at its engine. */
export interface Generation {
  readonly call: Call<ChatCompletionCreateParams>;
  readonly server: ServerContext;
  readonly resolvedModel: ResolvedChatModel;
  /** The body as engines may forward it: with its inputs in place. */
  readonly forwardedBody: ChatCompletionCreateParams;
  readonly plan: GenerationPlan;
  readonly metadata: CompletionMetadata;
  /** Tokens that the rate limiter holds for it. */
  readonly reserved: number;
  /** What its budgets hold for it; undefined where it has none. */
  readonly budget: BudgetReservation | undefined;
  readonly usageTracker: UsageTracker;
  /** Undefined where nothing is observed. */
  readonly observation: GenerationObservation | undefined;
  /** Gives the place at the engine back: once, when the generation is over. */
  readonly release: () => void;
}
