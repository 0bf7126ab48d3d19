import type { ServerStatus } from '@modelwire/server/internal';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/models.ts';
import { isPermitted } from '../../api/permissions.ts';
import { statusQuery } from '../../api/status.ts';
import { usageQuery } from '../../api/usage.ts';
import { twoLineHeight } from '../../components/columns.ts';
import type { Column } from '../../components/columns.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatShare } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { Tag } from '../../components/tag.tsx';
import { useSession } from '../../shell/session-context.ts';
import { Engines, Storage, Upstreams } from './health.tsx';
import { ModelTable } from './model-table.tsx';

/** The models; for administrators also upstreams, queues and storage. */
export function Models() {
  const session = useSession();
  return (
    <>
      <PageHeader title="Models and health" />
      {isPermitted(session, 'operate') ? <Health /> : <ModelList />}
    </>
  );
}

function Health() {
  const query = useQuery(statusQuery);
  return (
    <>
      <QueryNotice query={query} errorTitle="The state could not be loaded." />
      {query.data !== undefined && <Status status={query.data} />}
    </>
  );
}

/** Days over which the cache hit rates of models are taken. */
const cacheDays = 7;

function Status({ status }: { readonly status: ServerStatus }) {
  const usage = useQuery(usageQuery({ days: cacheDays, project: '', key: '', model: '' })).data?.by_model ?? [];
  const cacheHitRate = (model: string): number | undefined => {
    const sums = usage.find(({ id }) => id === model);
    return sums === undefined || sums.input_tokens === 0 ? undefined : sums.cached_tokens / sums.input_tokens;
  };
  return (
    <>
      <Upstreams upstreams={status.upstreams} />
      <section className="card" aria-label="Models">
        <h2>Models</h2>
        <ModelTable models={status.models} columns={columnsWith(cacheHitRate)} rowHeight={twoLineHeight} />
      </section>
      <Engines engines={status.engines} />
      <Storage storage={status.storage} />
    </>
  );
}

type Model = ServerStatus['models'][number];

function columnsWith(cacheHitRate: (model: string) => number | undefined): readonly Column<Model>[] {
  return [
    {
      header: 'Kinds',
      width: 160,
      cell: ({ kinds }) => (
        <span className="tags">
          {kinds.map((kind) => (
            <Tag key={kind}>{kind}</Tag>
          ))}
        </span>
      ),
    },
    {
      header: 'Served by',
      width: 160,
      priority: 2,
      sortBy: ({ engine }) => engine,
      cell: ({ engine, owned_by }) => (
        <div className="two-lines">
          <bdi>{engine}</bdi>
          {owned_by !== engine && <bdi className="note">owned by {owned_by}</bdi>}
        </div>
      ),
    },
    {
      header: 'Aliases',
      width: 150,
      priority: 3,
      cell: ({ aliases }) => <span title={aliases.join(', ')}>{aliases.join(', ') || '–'}</span>,
    },
    {
      header: `Cache hits, ${cacheDays} days`,
      width: 140,
      numeric: true,
      sortBy: ({ id }) => cacheHitRate(id),
      cell: ({ id }) => formatShare(cacheHitRate(id)),
    },
  ];
}

/** The list for keys without the permission to administer. */
function ModelList() {
  const { data, error, isPending, refetch } = useQuery(modelsQuery);
  if (isPending) return <p className="loading">Loading…</p>;
  if (error !== null) {
    return <ErrorNotice title="The models could not be listed." error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section className="card" aria-label="Models">
      <h2>Models</h2>
      <ModelTable models={data.map((id) => ({ id }))} columns={[]} />
    </section>
  );
}
