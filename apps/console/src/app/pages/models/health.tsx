import type { ServerStatus } from '@modelwire/server/internal';
import type { Column } from '../../components/columns.ts';
import { formatBytes, formatDuration, formatNumber, formatTime } from '../../components/format.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Tag } from '../../components/tag.tsx';

/** Upstreams with their circuit breakers. */
export function Upstreams({ upstreams }: Pick<ServerStatus, 'upstreams'>) {
  return (
    <section className="card" aria-label="Upstreams">
      <h2>Upstreams</h2>
      {upstreams.length === 0 && <p className="note">None are configured.</p>}
      {upstreams.map((upstream) => (
        <Upstream key={upstream.name} upstream={upstream} />
      ))}
    </section>
  );
}

function Upstream({ upstream }: { readonly upstream: ServerStatus['upstreams'][number] }) {
  const { name, url, status, latency_ms, cache_hit_rate, last_error, circuits } = upstream;
  const tone = status === 'available' ? 'good' : status === 'unknown' ? 'neutral' : 'bad';
  const interrupted = circuits.filter(({ state }) => state !== 'closed');
  return (
    <div className="model-row">
      <p>
        <strong>{name}</strong> <Tag tone={tone}>{status.replaceAll('_', ' ')}</Tag> <code>{url}</code>{' '}
        {latency_ms !== null && `responds in ${formatDuration(latency_ms)}`}{' '}
        {cache_hit_rate !== null && `, has ${Math.round(100 * cache_hit_rate)} % of prompt tokens in its cache`}
      </p>
      {last_error !== null && (
        <p className="note">
          Last error, {formatTime(last_error.at)}: {last_error.message}
        </p>
      )}
      {interrupted.length > 0 && (
        <ul>
          {interrupted.map(({ model, state, retry_after_ms, last_failure }) => (
            <li key={model}>
              {model}: <Tag tone="warning">circuit {state}</Tag>
              {state === 'open' && ` next attempt in ${formatDuration(retry_after_ms)}.`} {last_failure}
            </li>
          ))}
        </ul>
      )}
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
      {storage.map(({ name, kind, problem, bytes }) => (
        <p key={name}>
          <strong>{name}</strong> ({kind}) <Tag tone={problem === null ? 'good' : 'bad'}>{problem ?? 'writable'}</Tag>{' '}
          {bytes !== null && formatBytes(bytes)}
        </p>
      ))}
    </section>
  );
}
