import { Button, UnstyledButton } from '@mantine/core';
import type { UsageReport } from '@modelwire/server/internal';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { useNames } from '../../api/names.ts';
import { usageQuery } from '../../api/usage.ts';
import type { UsageFilters } from '../../api/usage.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import type { Column } from '../../components/columns.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatDuration, formatMoney, formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { downloadText } from '../../components/download-text.ts';
import { usageToCsv } from './csv.ts';
import { FigureCharts } from './figure-charts.tsx';
import { FigureTiles } from './figure-tiles.tsx';
import { figuresOfDays } from './figures.ts';
import { RecentErrors } from './recent-errors.tsx';

const route = getRouteApi('/usage');

/** Requests, tokens, durations, errors and costs by day, project, key and model. Days are UTC. */
export function Usage() {
  const { code, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const set: SetFilters = (changes) => void navigate({ search: { code, ...filters, ...changes }, replace: true });
  const query = useQuery(usageQuery(filters));
  const { data, isPlaceholderData } = query;
  return (
    <>
      <PageHeader title="Usage">
        {data !== undefined && (
          <Button
            disabled={isPlaceholderData}
            onClick={() => downloadText('usage.csv', 'text/csv', usageToCsv('date', daysOf(data)))}
          >
            Download CSV
          </Button>
        )}
      </PageHeader>
      <Filters filters={filters} report={data} onChange={set} />
      <QueryNotice query={query} errorTitle="The usage could not be loaded." />
      {data !== undefined && (
        <div className="sections" aria-busy={isPlaceholderData}>
          <Report report={data} isOutdated={isPlaceholderData} filters={filters} onChange={set} />
          <RecentErrors filters={filters} code={code} onSelect={(selectedCode) => set({ code: selectedCode })} />
        </div>
      )}
    </>
  );
}

type UsageSums = UsageReport['total'];
type UsageGroup = UsageReport['by_project'][number];
type SetFilters = (changes: Partial<UsageFilters & { readonly code: string }>) => void;

/** The days as rows, oldest first. */
function daysOf({ days }: UsageReport): readonly UsageGroup[] {
  return days.map(({ date, ...sums }) => ({ id: date, ...sums }));
}

interface FiltersProps {
  readonly filters: UsageFilters;
  readonly report: UsageReport | undefined;
  readonly onChange: SetFilters;
}

function Filters({ filters, report, onChange: set }: FiltersProps) {
  const { nameOf } = useNames();
  const groups = [
    { name: 'project', label: 'Project', all: 'All', options: report?.by_project },
    { name: 'key', label: 'Key', all: 'All', options: report?.by_key },
    { name: 'model', label: 'Model', all: 'All', options: report?.by_model },
  ] as const;
  return (
    <div className="filters" role="search">
      <SelectField
        label="Period"
        options={[7, 30, 90, 366].map((days) => ({ value: days, label: `${days} days` }))}
        value={filters.days}
        onChange={(days) => set({ days })}
      />
      {groups.map(({ name, label, all, options }) => (
        <SelectField<string>
          key={name}
          label={label}
          options={[
            { value: '', label: all },
            ...[...new Set([...(options?.map(({ id }) => id) ?? []), filters[name]])]
              .filter((id) => id !== '')
              .map((id) => ({ value: id, label: nameOf(id) })),
          ]}
          value={filters[name]}
          onChange={(id) => set({ [name]: id })}
        />
      ))}
    </div>
  );
}

interface ReportProps {
  readonly report: UsageReport;
  /** Whether the report is shown only until the report for the current filters is loaded. */
  readonly isOutdated: boolean;
  readonly filters: UsageFilters;
  readonly onChange: SetFilters;
}

function Report({ report, isOutdated, filters, onChange }: ReportProps) {
  const { total, currency } = report;
  const figures = figuresOfDays(report);
  const isEmpty = total.requests === 0 && total.input_tokens === 0;
  return (
    <>
      {isEmpty && (
        <section className="empty">
          <h2>No requests in the last {filters.days} days</h2>
          <p>Usage counts requests of every key. This one appears here within seconds:</p>
          <CodeBlock
            label="Shell"
            code={curlCommand(`${apiBaseURL}/chat/completions`, {
              model: 'simulator',
              messages: [{ role: 'user', content: 'Hello!' }],
            })}
          />
        </section>
      )}
      <FigureTiles figures={figures} filters={{ project: filters.project, key: filters.key, model: filters.model }} />
      {(['model', 'key', 'project'] as const).map((name) => (
        <Groups
          key={name}
          name={name}
          groups={report[`by_${name}`]}
          currency={currency}
          isOutdated={isOutdated}
          onSelect={(id) => onChange({ [name]: id })}
        />
      ))}
      <FigureCharts figures={figures} />
      <Groups
        name="day"
        groups={daysOf(report)
          .filter(({ requests, input_tokens }) => requests > 0 || input_tokens > 0)
          .toReversed()}
        currency={currency}
        isOutdated={isOutdated}
      />
    </>
  );
}

interface GroupsProps {
  readonly name: 'model' | 'project' | 'key' | 'day';
  readonly groups: readonly UsageGroup[];
  readonly currency: string | null;
  readonly isOutdated: boolean;
  /** Selects a row as the filter. */
  readonly onSelect?: (id: string) => void;
}

const headers = { model: 'Model', project: 'Project', key: 'Key', day: 'Day' } as const;

/** The sums of a group. */
function sumColumns(currency: string | null): readonly Column<UsageSums>[] {
  return [
    {
      header: 'Requests',
      width: 100,
      numeric: true,
      sortBy: ({ requests }) => requests,
      cell: ({ requests }) => formatNumber(requests),
    },
    {
      header: 'Errors',
      width: 80,
      numeric: true,
      sortBy: ({ errors }) => errors,
      cell: ({ errors }) => formatNumber(errors),
    },
    {
      header: 'First token, p50 / p95',
      width: 165,
      numeric: true,
      priority: 3,
      sortBy: ({ first_token_ms }) => first_token_ms?.p50 ?? null,
      cell: ({ first_token_ms }) => formatPercentiles(first_token_ms),
    },
    {
      header: 'Duration, p50 / p95',
      width: 150,
      numeric: true,
      priority: 2,
      sortBy: ({ duration_ms }) => duration_ms?.p50 ?? null,
      cell: ({ duration_ms }) => formatPercentiles(duration_ms),
    },
    {
      header: 'Input tokens',
      width: 120,
      numeric: true,
      priority: 2,
      sortBy: ({ input_tokens }) => input_tokens,
      cell: ({ input_tokens }) => formatNumber(input_tokens),
    },
    {
      header: 'Cached tokens',
      width: 125,
      numeric: true,
      priority: 3,
      sortBy: ({ cached_tokens }) => cached_tokens,
      cell: ({ cached_tokens }) => formatNumber(cached_tokens),
    },
    {
      header: 'Output tokens',
      width: 125,
      numeric: true,
      priority: 2,
      sortBy: ({ output_tokens }) => output_tokens,
      cell: ({ output_tokens }) => formatNumber(output_tokens),
    },
    ...(currency === null
      ? []
      : [
          {
            header: 'Cost',
            width: 100,
            numeric: true,
            sortBy: ({ cost }: UsageSums) => cost,
            cell: ({ cost }: UsageSums) => formatMoney(cost, currency),
          },
        ]),
  ];
}

function formatPercentiles(percentiles: UsageSums['duration_ms']): string {
  return percentiles === null ? '–' : `${formatDuration(percentiles.p50)} / ${formatDuration(percentiles.p95)}`;
}

function Groups({ name, groups, currency, isOutdated, onSelect }: GroupsProps) {
  const { nameOf } = useNames();
  if (groups.length === 0) return null;
  const title = `By ${name}`;
  return (
    <section className="card" aria-label={title}>
      <div className="section-header">
        <h2>{title}</h2>
        <Button
          aria-label={`Download usage by ${name} as CSV`}
          disabled={isOutdated}
          onClick={() => downloadText(`usage-by-${name}.csv`, 'text/csv', usageToCsv(name, groups))}
        >
          CSV
        </Button>
      </div>
      <DataTable
        label={`${title}, table`}
        columns={[
          {
            header: headers[name],
            width: 160,
            grows: true,
            isRowHeader: true,
            sortBy: ({ id }) => nameOf(id),
            cell: ({ id }) => <GroupName id={id} name={nameOf(id)} onSelect={onSelect} />,
          },
          ...sumColumns(currency),
        ]}
        rows={groups}
        keyOf={({ id }) => id}
      />
    </section>
  );
}

interface GroupNameProps {
  readonly id: string;
  readonly name: string;
  readonly onSelect: GroupsProps['onSelect'];
}

function GroupName({ id, name, onSelect }: GroupNameProps) {
  if (onSelect === undefined || id === '') return name || 'none';
  return (
    <span className="named-id">
      <UnstyledButton className="link" title={id} onClick={() => onSelect(id)}>
        {name}
      </UnstyledButton>
      {name !== id && <CopyButton text={id} label={`Copy ID ${id}`} isIcon />}
    </span>
  );
}
