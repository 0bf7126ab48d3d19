import type { ServerStatus } from '@modelwire/server/internal';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { batchesQuery, isBatchActive } from '../../api/batches.ts';
import { useNames } from '../../api/names.ts';
import { budgetsQuery } from '../../api/organization.ts';
import { statusQuery } from '../../api/status.ts';
import { currencyQuery } from '../../api/usage.ts';
import { isRendering, videosQuery } from '../../api/videos.ts';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { RowLink } from '../../components/row-link.tsx';
import { Tag } from '../../components/tag.tsx';
import { UpstreamError } from '../../components/upstream-error.tsx';
import { usedShare } from '../budgets/amounts.ts';
import { BudgetBar } from '../budgets/budget-bar.tsx';
import { progressOf } from '../batches/progress.ts';

/** More upstreams than these are on their page; those that fail come first. */
const maxUpstreams = 6;
/** Budgets are shown from this part of their limit on. */
const nearShare = 0.7;

/** The health of the upstreams, running work, and budgets near their limit. */
export function Attention() {
  return (
    <div className="attention">
      <Upstreams />
      <Running />
      <NearBudgets />
    </div>
  );
}

const isFailing = ({ status }: ServerStatus['upstreams'][number]): boolean =>
  status !== 'available' && status !== 'unknown';

function Upstreams() {
  const { data } = useQuery(statusQuery);
  const upstreams = data?.upstreams ?? [];
  return (
    <section className="card" aria-label="Upstreams">
      <h2>
        <Link to="/models">Upstreams</Link>
      </h2>
      {upstreams.length === 0 && <p className="note">None are configured: the models run in this server.</p>}
      {upstreams
        .toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a)))
        .slice(0, maxUpstreams)
        .map((upstream) => {
          const { name, status, latency_ms } = upstream;
          const isAvailable = status === 'available';
          return (
            <div key={name} className="attention-row">
              <strong>{name}</strong>
              {isAvailable && latency_ms !== null && <span className="note">{formatDuration(latency_ms)}</span>}
              <Tag tone={isAvailable ? 'good' : status === 'unknown' ? 'neutral' : 'bad'}>
                {status.replaceAll('_', ' ')}
              </Tag>
              {!isAvailable && <UpstreamError upstream={upstream} />}
            </div>
          );
        })}
      {upstreams.length > maxUpstreams && (
        <Link className="note" to="/models">
          All {upstreams.length} upstreams
        </Link>
      )}
    </section>
  );
}

function Running() {
  const { data: status } = useQuery(statusQuery);
  const batches = useInfiniteQuery(batchesQuery).data?.pages.flatMap((page) => page.data) ?? [];
  const videos = useInfiniteQuery(videosQuery).data?.pages.flatMap((page) => page.data) ?? [];
  const running = batches.filter(isBatchActive);
  const rendering = videos.filter(isRendering);
  return (
    <section className="card" aria-label="Running">
      <h2>Running now</h2>
      <div className="attention-row">
        <span>Requests</span> <strong>{formatNumber(status?.in_flight)}</strong>
      </div>
      <div className="attention-row">
        <Link to="/batches">Batches</Link> <strong>{running.length}</strong>
        {running.slice(0, 3).map((batch) => (
          <span key={batch.id} className="note detail">
            <RowLink list="batches" id={batch.id}>
              {batch.metadata?.['name'] ?? 'Batch'}: {formatNumber(progressOf(batch, Date.now()).done)} of{' '}
              {formatNumber(batch.request_counts?.total)}
            </RowLink>
          </span>
        ))}
      </div>
      <div className="attention-row">
        <Link to="/videos">Videos</Link> <strong>{rendering.length}</strong>
        {rendering.slice(0, 3).map(({ id, progress }) => (
          <span key={id} className="note detail">
            <RowLink list="videos" id={id}>{`${progress} %`}</RowLink>
          </span>
        ))}
      </div>
    </section>
  );
}

function NearBudgets() {
  const { nameOf } = useNames();
  const { data } = useQuery(budgetsQuery({}));
  const { data: currency } = useQuery(currencyQuery);
  const near = (data?.data ?? []).filter((budget) => (usedShare(budget) ?? 0) >= nearShare);
  return (
    <section className="card" aria-label="Budgets near their limit">
      <h2>
        <Link to="/budgets">Budgets near their limit</Link>
      </h2>
      {near.length === 0 && <p className="note">None.</p>}
      {near.map((budget) => {
        const subject = nameOf(budget.project_id ?? budget.api_key_id ?? '');
        return (
          <div key={budget.id} className="attention-row">
            <strong>{subject}</strong>
            <span className="note">
              {budget.unit} per {budget.period}
            </span>
            <BudgetBar budget={budget} title={`budget of ${subject}`} currency={currency} />
          </div>
        );
      })}
    </section>
  );
}
