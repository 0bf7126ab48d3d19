import type { Category } from '../categories.ts';

/** What weakens a rule: a negation before it, fiction, a clinical context, a report, or defence against it. */
export type Context = 'not' | 'fiction' | 'care' | 'report' | 'defence' | 'quote';

export interface Rule {
  readonly category: Category;
  /** Added to the logit. 2 is a hint, 4 is evidence, 7 is explicit. */
  readonly points: number;
  readonly contexts: readonly Context[];
}

export type RuleLine = readonly [line: string, rule: Rule];

/** Rules that differ only in their pattern. */
export function rule(
  category: Category,
  points: number,
  contexts: readonly Context[],
  ...lines: readonly string[]
): RuleLine[] {
  return lines.map((line) => [line, { category, points, contexts }]);
}

export const threat: readonly Context[] = ['not', 'fiction', 'report', 'quote'];
export const intent: readonly Context[] = ['not', 'fiction', 'care', 'quote'];
export const instructionRequest: readonly Context[] = ['not', 'defence', 'care', 'report', 'fiction'];
export const abuse: readonly Context[] = ['not', 'quote'];
export const noMitigation: readonly Context[] = [];

/** The first person. */
export const firstPerson = "i|i'm|i'll|we|we'll|i'd|we're|im";
/** Requests for instructions. */
export const instructionWords =
  'how|ways|way|steps|instructions|guide|tutorial|tips|methods|method|recipe|teach|show|tell|explain|help|best|easiest|give|write';
