import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/addresses.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { usageQuery } from '../../api/usage.ts';
import type { UsageFilters, UsageGroup, UsageReport } from '../../api/usage.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { FactGrid } from '../../components/fact-grid.tsx';
import { formatDuration, formatMoney, formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { saveText } from '../../components/save-text.ts';
import { BarChart } from './bar-chart.tsx';
import { usageToCsv } from './csv.ts';
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
          <button
            type="button"
            className="small"
            disabled={isPlaceholderData}
            onClick={() => saveText('usage.csv', 'text/csv', usageToCsv('date', daysOf(data)))}
          >
            Download CSV
          </button>
        )}
      </PageHeader>
      <Filters filters={filters} report={data} onChange={set} />
      <QueryNotice query={query} errorTitle="The usage could not be loaded." />
      {data !== undefined && (
        <div aria-busy={isPlaceholderData}>
          <Report report={data} isOutdated={isPlaceholderData} filters={filters} onChange={set} />
          <RecentErrors filters={filters} code={code} onChoose={(chosen) => set({ code: chosen })} />
        </div>
      )}
    </>
  );
}

type SetFilters = (changes: Partial<UsageFilters & { readonly code: string }>) => void;

/** The days as rows, the oldest first. */
function daysOf({ days }: UsageReport): readonly UsageGroup[] {
  return days.map(({ date, ...sums }) => ({ id: date, ...sums }));
}

interface FiltersProps {
  readonly filters: UsageFilters;
  readonly report: UsageReport | undefined;
  readonly onChange: SetFilters;
}

function Filters({ filters, report, onChange: set }: FiltersProps) {
  const groups = [
    { name: 'project', label: 'Project', all: 'All projects', found: report?.by_project },
    { name: 'key', label: 'Key', all: 'All keys', found: report?.by_key },
    { name: 'model', label: 'Model', all: 'All models', found: report?.by_model },
  ] as const;
  return (
    <div className="filters" role="search">
      <label className="field">
        Period
        <select value={filters.days} onChange={(event) => set({ days: Number(event.target.value) })}>
          {[7, 30, 90, 366].map((days) => (
            <option key={days} value={days}>
              {days} days
            </option>
          ))}
        </select>
      </label>
      {groups.map(({ name, label, all, found }) => (
        <label className="field" key={name}>
          {label}
          <select value={filters[name]} onChange={(event) => set({ [name]: event.target.value })}>
            <option value="">{all}</option>
            {[...new Set([...(found?.map(({ id }) => id) ?? []), filters[name]])]
              .filter((id) => id !== '')
              .map((id) => (
                <option key={id}>{id}</option>
              ))}
          </select>
        </label>
      ))}
    </div>
  );
}

interface ReportProps {
  readonly report: UsageReport;
  /** While the report of other filters is loaded. */
  readonly isOutdated: boolean;
  readonly filters: UsageFilters;
  readonly onChange: SetFilters;
}

function Report({ report, isOutdated, filters, onChange }: ReportProps) {
  const { days, total, currency } = report;
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
      <FactGrid
        facts={[
          ['Requests', formatNumber(total.requests)],
          ['Errors', formatNumber(total.errors)],
          ['Mean duration', total.mean_duration_ms === null ? '–' : formatDuration(total.mean_duration_ms)],
          ['Input tokens', formatNumber(total.input_tokens)],
          ['Cached tokens', formatNumber(total.cached_tokens)],
          ['Output tokens', formatNumber(total.output_tokens)],
          ...(currency === null ? [] : [['Cost', formatMoney(total.cost, currency)] as const]),
        ]}
      />
      <div className="charts">
        <BarChart
          title="Requests by day"
          labels={days.map(({ date }) => date)}
          series={[
            { name: 'Successful', values: days.map(({ requests, errors }) => requests - errors) },
            { name: 'Errors', values: days.map(({ errors }) => errors), tone: 'danger' },
          ]}
        />
        <BarChart
          title="Tokens by day"
          labels={days.map(({ date }) => date)}
          series={[
            { name: 'Input', values: days.map((day) => day.input_tokens) },
            { name: 'Output', values: days.map((day) => day.output_tokens), tone: 'second' },
          ]}
        />
        <BarChart
          title="Mean duration by day (ms)"
          labels={days.map(({ date }) => date)}
          series={[{ name: 'Duration', values: days.map((day) => day.mean_duration_ms ?? 0) }]}
        />
        {currency !== null && (
          <BarChart
            title={`Cost by day (${currency.toUpperCase()})`}
            labels={days.map(({ date }) => date)}
            series={[{ name: 'Cost', values: days.map(({ cost }) => cost) }]}
            format={(value) => formatMoney(value, currency)}
          />
        )}
      </div>
      <Groups
        name="model"
        groups={report.by_model}
        currency={currency}
        isOutdated={isOutdated}
        onChoose={(id) => onChange({ model: id })}
      />
      <Groups
        name="project"
        groups={report.by_project}
        currency={currency}
        isOutdated={isOutdated}
        onChoose={(id) => onChange({ project: id })}
      />
      <Groups
        name="key"
        groups={report.by_key}
        currency={currency}
        isOutdated={isOutdated}
        onChoose={(id) => onChange({ key: id })}
      />
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
  readonly onChoose?: (id: string) => void;
}

const headers = { model: 'Model', project: 'Project', key: 'Key', day: 'Day' } as const;
const sumNames = ['Requests', 'Errors', 'Mean duration', 'Input tokens', 'Cached tokens', 'Output tokens'];

function Groups({ name, groups, currency, isOutdated, onChoose }: GroupsProps) {
  if (groups.length === 0) return null;
  const title = `By ${name}`;
  return (
    <section className="card" aria-label={title}>
      <div className="page-header">
        <h2>{title}</h2>
        <button
          type="button"
          className="small"
          aria-label={`Download usage by ${name} as CSV`}
          disabled={isOutdated}
          onClick={() => saveText(`usage-by-${name}.csv`, 'text/csv', usageToCsv(name, groups))}
        >
          CSV
        </button>
      </div>
      <div className="table-scroll tall" tabIndex={0} role="region" aria-label={`${title}, table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{headers[name]}</th>
              {[...sumNames, ...(currency === null ? [] : ['Cost'])].map((column) => (
                <th key={column} scope="col" className="number">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id}>
                <th scope="row">
                  {onChoose === undefined || group.id === '' ? (
                    group.id || 'none'
                  ) : (
                    <button type="button" className="link" onClick={() => onChoose(group.id)}>
                      {group.id}
                    </button>
                  )}
                </th>
                <td className="number">{formatNumber(group.requests)}</td>
                <td className="number">{formatNumber(group.errors)}</td>
                <td className="number">
                  {group.mean_duration_ms === null ? '–' : formatDuration(group.mean_duration_ms)}
                </td>
                <td className="number">{formatNumber(group.input_tokens)}</td>
                <td className="number">{formatNumber(group.cached_tokens)}</td>
                <td className="number">{formatNumber(group.output_tokens)}</td>
                {currency !== null && <td className="number">{formatMoney(group.cost, currency)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
