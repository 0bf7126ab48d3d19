import type { ServerStatus } from '@modelwire/server/internal';
import { twoLineHeight } from '../../components/columns.ts';
import type { Column } from '../../components/columns.ts';
import { formatBytes, formatDuration, formatNumber, formatShare } from '../../components/format.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Tag } from '../../components/tag.tsx';
import { UpstreamError } from '../../components/upstream-error.tsx';

type UpstreamStatus = ServerStatus['upstreams'][number];

const upstreamColumns: readonly Column<UpstreamStatus>[] = [
  {
    header: 'Upstream',
    width: 260,
    isRowHeader: true,
    sortBy: ({ name }) => name,
    cell: ({ name, url }) => (
      <div className="two-lines">
        <bdi>{name}</bdi>
        <bdi className="note">{url}</bdi>
      </div>
    ),
  },
  { header: 'State', width: 300, grows: true, cell: (upstream) => <UpstreamState upstream={upstream} /> },
  {
    header: 'Latency',
    width: 90,
    numeric: true,
    priority: 2,
    sortBy: ({ latency_ms }) => latency_ms,
    cell: ({ latency_ms }) => (latency_ms === null ? '–' : formatDuration(latency_ms)),
  },
  {
    header: 'Cache hit rate',
    width: 120,
    numeric: true,
    priority: 2,
    sortBy: ({ cache_hit_rate }) => cache_hit_rate,
    cell: ({ cache_hit_rate }) => formatShare(cache_hit_rate),
  },
];

/** Upstreams with their circuit breakers, and the part of prompt tokens that they had in their caches. */
export function Upstreams({ upstreams }: Pick<ServerStatus, 'upstreams'>) {
  return (
    <section className="card" aria-label="Upstreams">
      <h2>Upstreams</h2>
      {upstreams.length === 0 ? (
        <p className="note">None are configured.</p>
      ) : (
        <DataTable
          label="Upstreams, table"
          columns={upstreamColumns}
          rows={upstreams}
          keyOf={({ name }) => name}
          rowHeight={twoLineHeight}
        />
      )}
    </section>
  );
}

function UpstreamState({ upstream }: { readonly upstream: UpstreamStatus }) {
  const { status, circuits } = upstream;
  const tone = status === 'available' ? 'good' : status === 'unknown' ? 'neutral' : 'bad';
  const interrupted = circuits.filter(({ state }) => state !== 'closed');
  return (
    <div className="upstream-state">
      <span>
        <Tag tone={tone}>{status.replaceAll('_', ' ')}</Tag>
      </span>
      <UpstreamError upstream={upstream} />
      {interrupted.map(({ model, state, retry_after_ms, last_failure }) => (
        <span key={model}>
          <Tag tone="warning">circuit {state}</Tag> {model}: {last_failure}
          {state === 'open' && `, next attempt in ${formatDuration(retry_after_ms)}`}
        </span>
      ))}
    </div>
  );
}

const engineColumns: readonly Column<ServerStatus['engines'][number]>[] = [
  {
    header: 'Engine',
    width: 160,
    grows: true,
    isRowHeader: true,
    sortBy: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    header: 'Running',
    width: 90,
    numeric: true,
    sortBy: ({ active }) => active,
    cell: ({ active }) => formatNumber(active),
  },
  {
    header: 'Waiting',
    width: 90,
    numeric: true,
    sortBy: ({ waiting }) => waiting,
    cell: ({ waiting }) => formatNumber(waiting),
  },
  {
    header: 'Concurrency',
    numeric: true,
    cell: ({ concurrency }) => (Number.isFinite(concurrency) ? formatNumber(concurrency) : 'unlimited'),
  },
];

/** The running and waiting requests of each engine. */
export function Engines({ engines }: Pick<ServerStatus, 'engines'>) {
  return (
    <section className="card" aria-label="Queues">
      <h2>Queues</h2>
      <DataTable label="Engines" columns={engineColumns} rows={engines} keyOf={(_, index) => String(index)} />
    </section>
  );
}

/** Where records and file contents are stored. */
export function Storage({ storage }: Pick<ServerStatus, 'storage'>) {
  return (
    <section className="card" aria-label="Storage">
      <h2>Storage</h2>
      <DescriptionList
        entries={storage.map(({ name, kind, problem, bytes }) => [
          `${name} (${kind})`,
          <span key={name} className="tags">
            <Tag tone={problem === null ? 'good' : 'bad'}>{problem ?? 'writable'}</Tag>
            {bytes !== null && formatBytes(bytes)}
          </span>,
        ])}
      />
    </section>
  );
}
