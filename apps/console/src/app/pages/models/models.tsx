import type { ServerStatus } from '@modelwire/server/internal';
import type { ModelCapabilities } from '@modelwire/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../../api/models.ts';
import { isPermitted } from '../../api/permissions.ts';
import { capabilitiesQuery, statusQuery } from '../../api/status.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { Tag } from '../../components/tag.tsx';
import { useSession } from '../../shell/session-context.ts';
import { Capabilities } from './capabilities.tsx';
import { Engines, Storage, Upstreams } from './health.tsx';

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

function Status({ status }: { readonly status: ServerStatus }) {
  return (
    <>
      <DescriptionList
        entries={[
          ['Version', status.version],
          ['Running requests', formatNumber(status.in_flight)],
          ['Models', formatNumber(status.models.length)],
        ]}
      />
      <section className="card" aria-label="Models">
        <h2>Models</h2>
        {status.models.map((model) => (
          <ModelRow key={model.id} model={model} />
        ))}
      </section>
      <Upstreams upstreams={status.upstreams} />
      <Engines engines={status.engines} />
      <Storage storage={status.storage} />
    </>
  );
}

function ModelRow({ model }: { readonly model: ServerStatus['models'][number] }) {
  return (
    <details className="model-row">
      <summary>
        <strong>{model.id}</strong>
        {model.kinds.map((kind) => (
          <Tag key={kind}>{kind}</Tag>
        ))}
        <span className="note">{describe(model)}</span>
      </summary>
      <CopyButton text={model.id} label="Copy ID" />
      {model.capabilities !== null && <Capabilities capabilities={model.capabilities} />}
    </details>
  );
}

function describe({ engine, owned_by, aliases }: ServerStatus['models'][number]): string {
  return [
    `from ${engine}`,
    ...(owned_by === engine ? [] : [`owned by ${owned_by}`]),
    ...(aliases.length === 0 ? [] : [`also called ${aliases.join(', ')}`]),
  ].join(' · ');
}

/** The list for keys without the permission to administer. The capabilities of a model are loaded when it is expanded. */
function ModelList() {
  const { data, error, isPending, refetch } = useQuery(modelsQuery);
  if (isPending) return <p className="loading">Loading…</p>;
  if (error !== null) {
    return <ErrorNotice title="The models could not be listed." error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section className="card" aria-label="Models">
      <h2>Models</h2>
      {data.map((id) => (
        <ListedModel key={id} id={id} />
      ))}
    </section>
  );
}

function ListedModel({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({ ...capabilitiesQuery(id), enabled: open });
  return (
    <details className="model-row" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{id}</strong>
      </summary>
      <CopyButton text={id} label="Copy ID" />
      <ListedCapabilities capabilities={data} failed={error !== null} />
    </details>
  );
}

function ListedCapabilities({
  capabilities,
  failed,
}: {
  readonly capabilities: ModelCapabilities | undefined;
  readonly failed: boolean;
}) {
  if (capabilities !== undefined) return <Capabilities capabilities={capabilities} />;
  return <p className="note">{failed ? 'The server lists no capabilities of this model.' : 'Loading…'}</p>;
}
