import type { ComparisonScorer } from '@modelwire/client';
import { readJsonObject } from '../playground/request.ts';

/** The scorers of a comparison, as the form has them. A text scorer is off while its field is empty. */
export interface ScorerInput {
  readonly exact: boolean;
  readonly normalized: boolean;
  readonly schema: string;
  readonly pattern: string;
  readonly embeddingModel: string;
  readonly judgeModel: string;
  readonly judgeMode: 'pairwise' | 'rubric';
  readonly criteria: string;
}

export const defaultScorers: ScorerInput = {
  exact: false,
  normalized: true,
  schema: '',
  pattern: '',
  embeddingModel: '',
  judgeModel: '',
  judgeMode: 'pairwise',
  criteria: '',
};

/** Whether at least one scorer is complete, and none is incomplete. */
export function areScorersComplete(input: ScorerInput): boolean {
  const hasJudge = input.judgeModel !== '';
  if (hasJudge && input.criteria.trim() === '') return false;
  const { exact, normalized, schema, pattern, embeddingModel } = input;
  return exact || normalized || hasJudge || [schema, pattern, embeddingModel].some((text) => text.trim() !== '');
}

/** Throws an error that names the invalid field. */
export function readScorers(input: ScorerInput): readonly ComparisonScorer[] {
  const { exact, normalized, pattern, embeddingModel, judgeModel, judgeMode, criteria } = input;
  const schema = readJsonObject('JSON Schema', input.schema);
  const scorers: ComparisonScorer[] = [];
  if (exact) scorers.push({ type: 'exact' });
  if (normalized) scorers.push({ type: 'normalized' });
  if (schema) scorers.push({ type: 'json_schema', schema });
  if (pattern !== '') scorers.push({ type: 'regex', pattern });
  if (embeddingModel !== '') scorers.push({ type: 'embedding', model: embeddingModel });
  if (judgeModel !== '') scorers.push({ type: 'judge', model: judgeModel, mode: judgeMode, criteria });
  return scorers;
}
