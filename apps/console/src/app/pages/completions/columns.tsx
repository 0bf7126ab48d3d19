import type { CompletionRow } from '../../api/completions.ts';
import type { Names } from '../../api/names.ts';
import type { Column } from '../../components/columns.ts';
import { formatDuration, formatMoney, formatNumber, formatShare } from '../../components/format.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { FirstTag, Tag } from '../../components/tag.tsx';
import type { Tone } from '../../components/tag.tsx';

interface ColumnOptions {
  /** Resolves the ID of a key or a project to its name. */
  readonly nameOf: Names['nameOf'];
  /** Whether the log has several projects. */
  readonly hasProjects: boolean;
}

/** The columns of the log. */
export function createColumns({ nameOf, hasProjects }: ColumnOptions): readonly Column<CompletionRow>[] {
  return [
    { header: 'Created', width: 125, cell: ({ created }) => <RelativeTime seconds={created} /> },
    {
      header: 'Prompt and reply',
      width: 280,
      grows: true,
      cell: ({ id, isStored, prompt, reply }) => (
        <RowLink list="completions" id={id}>
          <span className="two-lines">
            <bdi>{prompt || id}</bdi>
            <span className="note">
              {!isStored && (
                <>
                  <Tag>not stored</Tag>{' '}
                </>
              )}
              <bdi>{reply || (isStored && 'No text')}</bdi>
            </span>
          </span>
        </RowLink>
      ),
    },
    ...(hasProjects ? [projectColumn(nameOf)] : []),
    { header: 'Model', width: 115, priority: 2, sortBy: ({ model }) => model, cell: ({ model }) => model || '–' },
    { header: 'Status', width: 115, priority: 2, cell: ({ status }) => <Status status={status} /> },
    {
      header: 'Duration',
      width: 85,
      numeric: true,
      priority: 2,
      sortBy: ({ durationMs }) => durationMs,
      cell: ({ durationMs }) => formatMilliseconds(durationMs),
    },
    {
      header: 'First token',
      width: 95,
      numeric: true,
      priority: 3,
      sortBy: ({ firstTokenMs }) => firstTokenMs,
      cell: ({ firstTokenMs }) => formatMilliseconds(firstTokenMs),
    },
    {
      header: 'Tokens',
      width: 100,
      numeric: true,
      priority: 2,
      sortBy: ({ inputTokens = 0, outputTokens = 0 }) => inputTokens + outputTokens,
      cell: ({ inputTokens, outputTokens }) =>
        inputTokens === undefined ? '–' : `${formatNumber(inputTokens)} → ${formatNumber(outputTokens)}`,
    },
    {
      header: 'Cached',
      width: 75,
      numeric: true,
      priority: 3,
      sortBy: cachedShare,
      cell: (row) => formatShare(cachedShare(row), 0),
    },
    {
      header: 'Cost',
      width: 105,
      numeric: true,
      sortBy: ({ cost }) => cost?.value,
      cell: ({ cost }) => formatCost(cost),
    },
    {
      header: 'Key',
      width: 110,
      priority: 3,
      sortBy: ({ keyId }) => nameOf(keyId),
      cell: ({ keyId }) => nameOf(keyId) || '–',
    },
    {
      header: 'Tags',
      width: 170,
      priority: 3,
      cell: ({ metadata }) => <FirstTag texts={Object.entries(metadata).map(([key, value]) => `${key}=${value}`)} />,
    },
  ];
}

const projectColumn = (nameOf: Names['nameOf']): Column<CompletionRow> => ({
  header: 'Project',
  width: 120,
  priority: 2,
  sortBy: ({ project }) => nameOf(project),
  cell: ({ project }) => <bdi title={nameOf(project)}>{nameOf(project)}</bdi>,
});

const formatMilliseconds = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : formatDuration(milliseconds);

/** Completions without a recorded cost show a dash; those of models without a price say so. */
export function formatCost(cost: CompletionRow['cost']): string {
  if (cost === undefined) return '–';
  return cost === null ? 'no price' : formatMoney(cost.value, cost.currency);
}

function cachedShare({ inputTokens, cachedTokens }: CompletionRow): number | undefined {
  return inputTokens === undefined || inputTokens === 0 ? undefined : (cachedTokens ?? 0) / inputTokens;
}

interface StatusLabel {
  readonly label: string;
  readonly tone: Tone;
}

/** The statuses of stored completions by their `finish_reason`. */
export const finishReasons: Readonly<Record<string, StatusLabel>> = {
  stop: { label: 'complete', tone: 'good' },
  tool_calls: { label: 'tool call', tone: 'good' },
  function_call: { label: 'function call', tone: 'good' },
  length: { label: 'truncated', tone: 'warning' },
  content_filter: { label: 'filtered', tone: 'bad' },
};

/** The statuses of requests that are not stored by their outcome. */
const outcomes: Readonly<Record<string, StatusLabel>> = {
  succeeded: { label: 'succeeded', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  aborted: { label: 'aborted', tone: 'warning' },
};

export function Status({ status }: { readonly status: string }) {
  const { label, tone } = finishReasons[status] ?? outcomes[status] ?? { label: status || 'unknown', tone: 'neutral' };
  return <Tag tone={tone}>{label}</Tag>;
}
