import type { GenerationObservation } from '@modelwire/ports';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { BudgetReservation } from '../limits/budgets.ts';
import type { ServerContext } from '../context.ts';
import type { ResolvedChatModel } from '../model-registry.ts';
import type { CompletionMetadata } from '../streaming/completion-metadata.ts';
import type { UsageTracker } from '../streaming/usage-tracker.ts';
import type { GenerationPlan } from './normalise.ts';

/** A chat request that was admitted to its engine. */
export interface Generation {
  readonly call: Call<ChatCompletionCreateParams>;
  readonly server: ServerContext;
  readonly resolvedModel: ResolvedChatModel;
  /** The request body with its inputs loaded, for engines that forward it. */
  readonly forwardedBody: ChatCompletionCreateParams;
  readonly plan: GenerationPlan;
  readonly metadata: CompletionMetadata;
  /** Number of tokens reserved in the rate limiter. */
  readonly reservedTokens: number;
  /** The reservation in the budgets that apply to the request; undefined if there are none. */
  readonly budgetReservation: BudgetReservation | undefined;
  readonly usageTracker: UsageTracker;
  /** Undefined if nothing is observed. */
  readonly observation: GenerationObservation | undefined;
  /** Releases the engine's slot and the memory of the inputs. Call it once, when the generation has ended. */
  readonly release: () => void;
}
