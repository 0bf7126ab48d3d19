import type { Dataset, DatasetComparison } from '@modelwire/client';
import type { Fields } from '../output/printer.ts';
import { bytesText, timeText } from '../output/units.ts';

export function datasetFields({ id, name, format, created_at, counts, redacted, files }: Dataset): Fields {
  const { completions, lines, duplicates, skipped } = counts;
  return [
    ['id', id],
    ['name', name],
    ['format', format],
    ['created', timeText(created_at)],
    ['lines', `${lines} of ${completions} completions, ${duplicates} duplicates, ${skipped} skipped`],
    ['redacted', redacted ? 'yes' : 'no'],
    ...files.map(
      (file) => [file.split ?? 'file', `${file.file_id}, ${file.lines} lines, ${bytesText(file.bytes)}`] as const,
    ),
  ];
}

export function comparisonFields(comparison: DatasetComparison): Fields {
  const { id, name, created_at, counts, scorers, baseline, candidate, currency } = comparison;
  const side = ({
    errors,
    replies,
    output_tokens,
    cost,
    mean_duration_ms: ms,
  }: DatasetComparison['baseline']): string =>
    [
      `${replies} replies, ${output_tokens} output tokens`,
      ...(cost === null ? [] : [`${cost} ${currency}`]),
      ...(ms === null ? [] : [`${ms} ms`]),
      ...errors.map(({ message, cases }) => `${cases} without a reply: ${message}`),
    ].join(', ');
  return [
    ['id', id],
    ['name', name],
    ['created', timeText(created_at)],
    ['cases', `${counts.told_apart} told apart, ${counts.different} different, ${counts.equal} equal`],
    ['baseline', side(baseline)],
    ['candidate', side(candidate)],
    ...scorers.map((scorer) => [scorer.type, scoreText(scorer)] as const),
    ['cases as JSON', comparison.cases_file_id],
    ['cases as CSV', comparison.csv_file_id],
  ];
}

function scoreText(scorer: DatasetComparison['scorers'][number]): string {
  const {
    scored,
    errors,
    baseline_mean,
    candidate_mean,
    wins,
    losses,
    ties,
    win_rate,
    win_rate_interval: interval,
  } = scorer;
  const failures = errors.map(({ message, cases }) => `${cases} without a score: ${message}`);
  if (scored === 0 || win_rate === null) return ['no scores', ...failures].join('; ');
  const percent = (share: number | null | undefined): string => `${((share ?? 0) * 100).toFixed(1)} %`;
  const range = `${percent(interval?.[0])} to ${percent(interval?.[1])}`;
  const means = `${(baseline_mean ?? 0).toFixed(3)} to ${(candidate_mean ?? 0).toFixed(3)}`;
  const counts = `${wins} wins, ${losses} losses, ${ties} ties`;
  return [counts, `win rate ${percent(win_rate)} (${range})`, `mean ${means}`, ...failures].join('; ');
}
