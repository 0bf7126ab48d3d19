import type { CompletionUsage } from '@modelwire/schema/types';
import type { GenerationOutcome, ObservedGeneration } from '@modelwire/ports';
import type { TieredQueue, ResolvedServiceTier } from '../limits/tiered-queue.ts';
import type { ByteReservation } from '../limits/byte-budget.ts';
import type { Policy } from '../limits/policies.ts';

/** What a request asks for, told in the order in which `admit` needs it. */
export interface Work<Found extends FoundModel, Loaded extends LoadedWork> {
  /** Whether its result is stored: the project has to have space for it. */
  readonly isStored: boolean;
  /** Finds the model. @throws a 404 for a model that is not served. */
  find(access: Access): Found | Promise<Found>;
  /** Checks the request against its model, and loads its inputs. */
  load(found: Found, access: Access): Loaded | Promise<Loaded>;
  /** Inspects the loaded inputs with the help of others, such as moderation and a web search. */
  inspect(loaded: Loaded, access: Access): Loaded | Promise<Loaded>;
  /** The engine that the work needs a slot of; undefined where it takes none. */
  slot(loaded: Loaded): Slot | undefined;
}

/** For work that nothing inspects. */
export const notInspected = <Loaded>(loaded: Loaded): Loaded => loaded;
/** For work that needs no slot, since it runs later or elsewhere. */
export const noSlot = (): undefined => undefined;

/** What the work may use while it is admitted. */
export interface Access {
  readonly policy: Policy;
  /** Released when the work ends, or before by its owner. */
  readonly memory: ByteReservation;
}

export interface FoundModel {
  readonly model: {
    /** As the request names it: an ID or an alias. Undefined for one that names none. */
    readonly requested: string | undefined;
    /** Its own ID, or that of what is used without a model. */
    readonly id: string;
    /** The name in the usage report, by which it has a price. Read when the work ends. */
    readonly metered: () => string;
  };
}

export interface LoadedWork {
  readonly demand: Demand;
  readonly usage: WorkUsage;
}

/** What is reserved from rate limits and budgets. */
export type Demand =
  | {
      readonly kind: 'tokens';
      /** Called only where tokens are limited. */
      readonly estimate: () => TokenEstimate;
      /** What the client can change about a request that is too large, as a sentence. */
      readonly advice: string;
    }
  /** Work that uses no tokens. In millionths of the currency; undefined for a model without a price. */
  | { readonly kind: 'cost'; readonly cost: number | undefined };

/** Estimated tokens of a request. */
export interface TokenEstimate {
  readonly prompt: number;
  /** Output without which the request makes no sense: a limit smaller than that never admits it. */
  readonly requiredOutput: number;
  readonly maxOutput: number;
  /** Output that has to be left for the request to be admitted. */
  readonly outputToAdmit: number;
}

const defaultOutputTokensPerChoice = 4096;
/** Less than this is not worth starting a reply of which the client has not limited the length. */
const minOutputTokensPerChoice = 256;

/**
 * The tokens of the prompt, and of the output of all choices. Without an output limit, that is 4,096 for each choice, or all that the key
 * has left if that is at least 256 for each choice or the whole limit.
 */
export function tokenEstimate(prompt: number, choices: number, limit: number | undefined): TokenEstimate {
  return {
    prompt,
    requiredOutput: choices * (limit ?? 1),
    maxOutput: choices * (limit ?? defaultOutputTokensPerChoice),
    outputToAdmit: choices * (limit ?? minOutputTokensPerChoice),
  };
}

/** What work has used so far. */
export interface WorkUsage {
  /** Undefined where it uses no tokens, or their number is unknown. */
  readonly current: CompletionUsage | undefined;
  readonly isEstimated: boolean;
  /** Counts the prompt, because an engine received it. */
  countPrompt(): void;
  /** Called once, when the first token has been generated, by `performance.now()`. */
  onFirstToken?: ((at: number) => void) | undefined;
}

/** The usage of work without tokens. */
export const noTokens: WorkUsage = { current: undefined, isEstimated: false, countPrompt: () => undefined };

export interface Slot {
  readonly queue: TieredQueue;
  readonly engine: { readonly name: string; readonly isRemote?: boolean | undefined };
  readonly tier: ResolvedServiceTier;
  readonly observed: Pick<ObservedGeneration, 'operation' | 'model' | 'isStreamed' | 'request'>;
  /** What the observer is told at the end besides usage and error. */
  readonly outcome: () => Pick<GenerationOutcome, 'firstTokenAt' | 'finishReasons' | 'responseId'>;
}
