import type { ModerationCategory, ModerationInputType } from '@modelwire/schema/types';

export interface ModerationEngineModel {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  /** What it looks at. A model of text alone answers in the older shape, without applied input types (interface: Moderation object). */
  readonly inputs: readonly ModerationInputType[];
}

export type ModerationPart =
  | { readonly type: 'text'; readonly text: string }
  /** Decoded and checked: the type is what the bytes are, not what somebody said. */
  | { readonly type: 'image'; readonly mediaType: string; readonly bytes: Uint8Array };

/** What is judged together: one text, or all parts of a multi-modal input. Gives one result. */
export type ModerationInput = readonly ModerationPart[];

/** What an engine says of one category. */
export interface CategoryVerdict {
  /** 0 to 1. */
  readonly score: number;
  readonly flagged: boolean;
  /** The score from which the category is flagged, if the engine decides by one. */
  readonly threshold?: number;
  /** The kinds of the input's parts that were looked at for it. */
  readonly appliedTo: readonly ModerationInputType[];
}

/** Categories that an engine does not judge are left out: the server kit says false, 0 and no input type. */
export type ModerationVerdict = Readonly<Partial<Record<ModerationCategory, CategoryVerdict>>>;

export interface ModerationContext {
  readonly requestId: string;
  /** Records the name of the upstream that the engine uses, for the header `x-modelwire-upstream` and the log; then, if its attempt fails, why, such as `ECONNREFUSED`. */
  reportUpstream?(name: string, failure?: string): void;
  /** Aborted when the client disconnects. What the engine throws afterwards is ignored. */
  readonly signal: AbortSignal;
}

/** A moderation model behind the server kit. Throws a `RequestError` for what the client may see. */
export interface ModerationEngine {
  readonly name: string;
  models(): readonly ModerationEngineModel[];
  /** A model that is served and not listed, for engines whose models nobody could list. Asked where no engine lists it. */
  unlisted?(id: string): ModerationEngineModel | undefined;
  /** One verdict for each input, in their order. */
  moderate(
    request: { readonly model: string; readonly inputs: readonly ModerationInput[] },
    context: ModerationContext,
  ): Promise<readonly ModerationVerdict[]>;
  /** Requests that may run at once; more wait in the queue. Default: the server's `concurrency`. */
  readonly concurrency?: number;
  close?(): Promise<void>;
}
