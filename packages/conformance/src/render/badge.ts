import type { ConformanceReport } from '../report.ts';
import { percent } from './words.ts';

/** The score of the served endpoints, as the JSON that the endpoint badge of shields.io reads. */
export function renderBadge({ score, complete }: ConformanceReport): string {
  const message = complete ? percent(score.served) : 'not complete';
  const badge = { schemaVersion: 1, label: 'OpenAI-compatible', message, color: color(complete ? score.served : null) };
  return `${JSON.stringify(badge)}\n`;
}

function color(score: number | null): string {
  if (score === null) return 'lightgrey';
  return score >= 95 ? 'blue' : score >= 70 ? 'yellow' : 'red';
}
