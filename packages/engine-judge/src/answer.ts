import { moderationSubcategories } from '@modelwire/ports';
import { categories } from './categories.ts';
import type { Scores } from './categories.ts';
import type { AnswerFormat } from './question.ts';

/**
 * The scores of a reply, within 0 and 1, with parent categories raised to their subcategories. Undefined for anything other
 * than one complete verdict with this key: nothing is guessed.
 * If the model was asked for JSON, the whole reply must be JSON. Otherwise the last verdict in its text counts, because models
 * reason before it.
 */
export function scoresOf(answer: string, key: string, format: AnswerFormat): Scores | undefined {
  if (format !== 'text') return scoresIn(answer, key);
  // A verdict is flat, without braces inside: one pass finds all candidates.
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
  // Exactly the key and the 13 categories: with more fields it may mean something else.
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
