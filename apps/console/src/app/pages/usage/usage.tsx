import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/addresses.ts';
import { usageQuery } from '../../api/usage.ts';
import type { UsageFilters, UsageGroup, UsageReport } from '../../api/usage.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactGrid } from '../../components/fact-grid.tsx';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { saveText } from '../../components/save-text.ts';
import { BarChart } from './bar-chart.tsx';
import { usageToCsv } from './csv.ts';

const route = getRouteApi('/usage');

/** Requests, tokens, durations and errors by day, project, key and model. Days are UTC. */
export function Usage() {
  const filters = route.useSearch();
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(usageQuery(filters));
  return (
    <>
      <PageHeader title="Usage">
        {data !== undefined && (
          <button
            type="button"
            className="small"
            onClick={() => saveText('usage.csv', 'text/csv', usageToCsv(data.days))}
          >
            Download CSV
          </button>
        )}
      </PageHeader>
      <Filters filters={filters} report={data} />
      {error !== null && (
        <ErrorNotice title="The usage could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && <p className="loading">Loading…</p>}
      {data !== undefined && (
        <div aria-busy={isPlaceholderData}>
          <Report report={data} filters={filters} />
        </div>
      )}
    </>
  );
}

function Filters({ filters, report }: { readonly filters: UsageFilters; readonly report: UsageReport | undefined }) {
  const navigate = route.useNavigate();
  const set = (changes: Partial<UsageFilters>): void =>
    void navigate({ search: { ...filters, ...changes }, replace: true });
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

function Report({ report, filters }: { readonly report: UsageReport; readonly filters: UsageFilters }) {
  const { days, total } = report;
  const isEmpty = total.requests === 0 && total.input_tokens === 0;
  return (
    <>
      {isEmpty && (
        <section className="empty">
          <h2>No requests in the last {filters.days} days</h2>
          <p>Usage counts requests of every key. This one appears here within seconds:</p>
          <CodeBlock
            label="Shell"
            code={`curl ${apiBaseURL}/chat/completions \\
  -H "Authorization: Bearer $MODELWIRE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"simulator","messages":[{"role":"user","content":"Hello!"}]}'`}
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
      </div>
      <Groups title="By model" groups={report.by_model} />
      <Groups title="By project" groups={report.by_project} />
      <Groups title="By key" groups={report.by_key} />
      <Groups
        title="By day"
        groups={days
          .filter((day) => day.requests > 0 || day.input_tokens > 0)
          .map(({ date, ...sums }) => ({ id: date, ...sums }))
          .toReversed()}
      />
    </>
  );
}

function Groups({ title, groups }: { readonly title: string; readonly groups: readonly UsageGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <div className="table-scroll tall" tabIndex={0} role="region" aria-label={`${title}, table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{title.replace('By ', '')}</th>
              {['Requests', 'Errors', 'Mean duration', 'Input tokens', 'Cached tokens', 'Output tokens'].map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id}>
                <th scope="row">{group.id === '' ? 'none' : group.id}</th>
                <td className="number">{formatNumber(group.requests)}</td>
                <td className="number">{formatNumber(group.errors)}</td>
                <td className="number">
                  {group.mean_duration_ms === null ? '–' : formatDuration(group.mean_duration_ms)}
                </td>
                <td className="number">{formatNumber(group.input_tokens)}</td>
                <td className="number">{formatNumber(group.cached_tokens)}</td>
                <td className="number">{formatNumber(group.output_tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
