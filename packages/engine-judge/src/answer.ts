import { moderationSubcategories } from '@modelwire/ports';
import { categories } from './categories.ts';
import type { Scores } from './categories.ts';
import type { AnswerFormat } from './question.ts';

/**
 * The scores of an answer, held within 0 and 1, general categories raised to their special ones. Undefined for whatever is not one whole
 * verdict under this key: then nothing is known, and nothing is guessed.
 *
 * Where the model was asked for JSON, the answer is JSON from end to end. Else the last verdict inside of its words counts: models think
 * aloud first.
 */
export function scoresOf(answer: string, key: string, format: AnswerFormat): Scores | undefined {
  if (format !== 'text') return scoresIn(answer, key);
  // A verdict is flat, so it has no braces inside: one pass finds all there are.
  for (const candidate of (answer.match(/\{[^{}]*\}/g) ?? []).reverse()) {
    const scores = scoresIn(candidate, key);
    if (scores) return scores;
  }
  return undefined;
}

function scoresIn(json: string, key: string): Scores | undefined {
  const found = parsed(json);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const given = new Map<string, unknown>(Object.entries(found));
  // The key and the 13, and nothing else: what says more may mean something else.
  if (given.size !== categories.length + 1 || given.get('key') !== key) return undefined;
  const scores: Partial<Record<keyof Scores, number>> = {};
  for (const category of categories) {
    const score = given.get(category);
    if (typeof score !== 'number' || !Number.isFinite(score)) return undefined;
    scores[category] = Math.min(1, Math.max(0, score));
  }
  return raised(scores as Scores);
}

function raised(scores: Scores): Scores {
  const all = { ...scores };
  for (const [child, parent] of moderationSubcategories) all[parent] = Math.max(all[parent], all[child]);
  return all;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
