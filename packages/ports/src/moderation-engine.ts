import type { ModerationCategory, ModerationInputType } from '@modelwire/schema/types';
import type { ListedModel } from './listed-model.ts';
import type { UpstreamObserver } from './observation.ts';
import type { GenerationObservation, ObservedGeneration } from './observer.ts';

export interface ModerationEngineModel extends ListedModel {
  /**
   * Kinds of input that it judges. The results of a text-only model have the older format, without applied input types (API: Moderation
   * object).
   */
  readonly inputs: readonly ModerationInputType[];
  /** The categories that it judges in texts, if it judges texts. Default: all, or those that its verdicts have. */
  readonly categories?: readonly ModerationCategory[];
}

export type ModerationPart =
  | { readonly type: 'text'; readonly text: string }
  /** Decoded bytes; `mediaType` was determined from them, not declared by the client. */
  | { readonly type: 'image'; readonly mediaType: string; readonly bytes: Uint8Array };

/** One input with one result: a text, or all parts of a multi-modal input. */
export type ModerationInput = readonly ModerationPart[];

/** The engine's verdict on one category. */
export interface CategoryVerdict {
  /** From 0 to 1. */
  readonly score: number;
  readonly flagged: boolean;
  /** The score from which the category is flagged, if the engine decides by one. */
  readonly threshold?: number;
  /** Kinds of the parts that were judged for this category. */
  readonly appliedTo: readonly ModerationInputType[];
}

/**
 * Categories that the engine does not judge are left out: the server returns false, 0 and no input types for them, and names them in a header.
 */
export type ModerationVerdict = Readonly<Partial<Record<ModerationCategory, CategoryVerdict>>>;

/** Observes what an engine does to moderate. */
export interface ModerationObserver extends UpstreamObserver {
  /** A chat model is about to generate a verdict. Its requests to upstreams are started on the returned object. */
  startGeneration(generation: Omit<ObservedGeneration, 'project'>): GenerationObservation;
}

export interface ModerationContext {
  readonly requestId: string;
  /** Records the name of the upstream that the engine uses, for the header `x-modelwire-upstream` and the log; then, if its attempt fails, why, such as `ECONNREFUSED`. */
  reportUpstream?(name: string, failure?: string): void;
  /** Engines report their requests to upstreams and their generations here, for metrics and traces. Undefined if nothing is observed. */
  readonly observer?: ModerationObserver | undefined;
  /** Aborted when the client disconnects. Errors that the engine throws afterwards are ignored. */
  readonly signal: AbortSignal;
}

/** Serves moderation models. Throws a `RequestError` for failures that the client may see. */
export interface ModerationEngine {
  readonly name: string;
  models(): readonly ModerationEngineModel[];
  /** A model that `models()` does not list, for engines whose models cannot be listed. Called if no engine lists the ID. */
  resolveModel?(id: string): ModerationEngineModel | undefined;
  /** One verdict for each input, in their order. */
  moderate(
    request: { readonly model: string; readonly inputs: readonly ModerationInput[] },
    context: ModerationContext,
  ): Promise<readonly ModerationVerdict[]>;
  /** Maximum number of concurrent requests; further ones wait in the queue. Default: `engineConcurrency` of the server. */
  readonly concurrency?: number;
  close?(): Promise<void>;
}
