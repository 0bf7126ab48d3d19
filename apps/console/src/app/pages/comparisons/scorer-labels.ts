import type { ComparisonResult } from '@modelwire/client';

const labels: Readonly<Record<string, string>> = {
  exact: 'Exact',
  normalized: 'Normalized',
  json_schema: 'JSON Schema',
  regex: 'Regex',
  embedding: 'Embedding',
  judge: 'Judge',
};

/** The name of a scorer, such as `JSON Schema`. */
export function scorerLabel(type: ComparisonResult['type']): string {
  return labels[type] ?? type;
}
