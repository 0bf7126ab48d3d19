import type { Grammar } from '@modelwire/grammar';
import type { Opening, PartKind } from './choice.ts';
import type { GrammarPlace } from './grammar/refusal.ts';
import type { Segment } from './script.ts';

/** A grammar that a text is held to, and where it stands in the request. */
export interface Held {
  readonly grammar: Grammar;
  readonly place: GrammarPlace;
}

/** A part of a reply as it is planned: the same for all choices of a request. */
export interface PlannedPart {
  readonly kind: PartKind;
  /** What is said, in segments with their ways; under a grammar a single text that it accepts. */
  readonly segments: readonly Segment[];
  readonly held?: Held;
  /** The tool that is called; the id is each choice's own. */
  readonly opening?: Omit<Opening, 'id'>;
}
