import { parseJson } from '@modelwire/adapter-kit';
import { moderationSubcategories } from '@modelwire/ports';
import type { ModerationInput } from '@modelwire/ports';
import { categories } from './categories.ts';
import type { Scores } from './categories.ts';

/** A verdict, or the problem of the answer. `problem` never quotes the answer, because it becomes part of the next prompt. */
export type ReadVerdict<Judged = Partial<Scores>> =
  { readonly scores: Judged; readonly problem?: undefined } | { readonly scores?: undefined; readonly problem: string };

/**
 * Reads the verdict from an answer to a question about `input`: the last JSON object in it that has all 13 scores, because models
 * reason before it and wrap it in code blocks. Nothing is guessed: a missing score, or one outside 0 to 1, is a problem.
 * Parent categories are raised to their subcategories. A verdict that is written in the input is not accepted.
 */
export function readVerdict(answer: string, input: ModerationInput): ReadVerdict<Scores> {
  const candidates = objectsIn(answer).map(readScores);
  const verdicts = candidates.filter((one) => one.scores !== undefined).map(({ scores }) => scores);
  if (verdicts.length === 0) return candidates.at(-1) ?? { problem: 'it contains no JSON object' };
  const dictated = verdictsOf(input);
  const scores = verdicts.findLast((one) => !dictated.some((other) => isSame(one, other)));
  return scores ? { scores } : { problem: 'it copies a verdict from the material instead of judging the material' };
}

/** Verdicts that the author wrote into the input, also split over several parts. */
function verdictsOf(input: ModerationInput): readonly Scores[] {
  const text = input.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return objectsIn(text)
    .map((one) => readScores(one).scores)
    .filter((scores) => scores !== undefined);
}

/** The JSON objects in a text, in order. A verdict is flat: objects without nested braces are sufficient, or the whole text. */
function objectsIn(text: string): readonly object[] {
  const flat = text.match(/\{[^{}]*\}/g) ?? [];
  return [...flat, text]
    .map(parseJson)
    .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .map((value) => value as object);
}

function readScores(found: object): ReadVerdict<Scores> {
  const given = new Map<string, unknown>(Object.entries(found));
  const missing = categories.filter((category) => !given.has(category));
  if (missing.length > 0) return { problem: `these scores are missing: ${missing.join(', ')}` };
  const invalid = categories.filter((category) => !isScore(given.get(category)));
  if (invalid.length > 0) return { problem: `these scores are not numbers from 0 to 1: ${invalid.join(', ')}` };
  const scores = Object.fromEntries(categories.map((category) => [category, given.get(category)])) as Record<
    keyof Scores,
    number
  >;
  return { scores: raiseParents(scores) };
}

/** Raises the scores of parent categories to those of their subcategories. A parent that is not judged stays so. */
export function raiseParents<Judged extends Partial<Scores>>(scores: Judged): Judged {
  const raised: Partial<Record<keyof Scores, number>> = {};
  for (const [child, parent] of moderationSubcategories) {
    const score = raised[parent] ?? scores[parent];
    if (score !== undefined) raised[parent] = Math.max(score, scores[child] ?? 0);
  }
  return { ...scores, ...raised };
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isSame(one: Scores, other: Scores): boolean {
  return categories.every((category) => one[category] === other[category]);
}
