import type { Category } from '../categories.ts';

/** What weakens a rule: a negation before it, fiction, a clinical context, a report, or defence against it. */
export type Frame = 'not' | 'fiction' | 'care' | 'report' | 'defence' | 'quote';

export interface Rule {
  readonly category: Category;
  /** Added to the logit. 2 is a hint, 4 is evidence, 7 is explicit. */
  readonly points: number;
  readonly frames: readonly Frame[];
}

export type RuleLine = readonly [line: string, rule: Rule];

/** Rules that differ only in their pattern. */
export function rule(
  category: Category,
  points: number,
  frames: readonly Frame[],
  ...lines: readonly string[]
): RuleLine[] {
  return lines.map((line) => [line, { category, points, frames }]);
}

export const threat: readonly Frame[] = ['not', 'fiction', 'report', 'quote'];
export const intent: readonly Frame[] = ['not', 'fiction', 'care', 'quote'];
export const instructionRequest: readonly Frame[] = ['not', 'defence', 'care', 'report', 'fiction'];
export const abuse: readonly Frame[] = ['not', 'quote'];
export const noMitigation: readonly Frame[] = [];

/** The first person. */
export const firstPerson = "i|i'm|i'll|we|we'll|i'd|we're|im";
/** Requests for instructions. */
export const instructionWords =
  'how|ways|way|steps|instructions|guide|tutorial|tips|methods|method|recipe|teach|show|tell|explain|help|best|easiest|give|write';
