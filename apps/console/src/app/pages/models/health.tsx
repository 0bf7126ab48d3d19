import type { ServerStatus } from '@modelwire/server/internal';
import type { Column } from '../../components/data-table.tsx';
import { formatBytes, formatDuration, formatNumber, formatTime } from '../../components/format.ts';
import { SmallTable } from '../../components/small-table.tsx';

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
  const tone = status === 'available' ? 'good' : status === 'unknown' ? '' : 'bad';
  const interrupted = circuits.filter(({ state }) => state !== 'closed');
  return (
    <div className="model-row">
      <p>
        <strong>{name}</strong> <span className={`badge ${tone}`}>{status.replaceAll('_', ' ')}</span>{' '}
        <code>{url}</code> {latency_ms !== null && `responds in ${formatDuration(latency_ms)}`}{' '}
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
              {model}: <span className="badge warning">circuit {state}</span>
              {state === 'open' && ` next attempt in ${formatDuration(retry_after_ms)}.`} {last_failure}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const engineColumns: readonly Column<ServerStatus['engines'][number]>[] = [
  { header: 'Engine', cell: ({ name }) => name },
  { header: 'Running', numeric: true, cell: ({ active }) => formatNumber(active) },
  { header: 'Waiting', numeric: true, cell: ({ waiting }) => formatNumber(waiting) },
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
      <SmallTable label="Engines" columns={engineColumns} rows={engines} keyOf={(_, index) => String(index)} />
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
          <strong>{name}</strong> ({kind}){' '}
          <span className={problem === null ? 'badge good' : 'badge bad'}>{problem ?? 'writable'}</span>{' '}
          {bytes !== null && formatBytes(bytes)}
        </p>
      ))}
    </section>
  );
}
