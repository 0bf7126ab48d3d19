import { Button } from '@mantine/core';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@modelwire/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useNames } from '../../api/names.ts';
import { webhookDeliveriesQuery, webhookQuery } from '../../api/organization.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { createActionsColumn } from '../../components/actions-column.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import type { Column } from '../../components/columns.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatDuration, formatTime } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { deliveryStatuses } from './delivery-statuses.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { Tag } from '../../components/tag.tsx';
import type { Tone } from '../../components/tag.tsx';

const route = getRouteApi('/webhooks/$id');

/** One webhook with the log of its deliveries. */
export const WebhookPage: React.FunctionComponent = createDetailPage('webhooks', webhookQuery, Detail);

function Detail({ entry: webhook }: DetailProps<Webhook>) {
  const { nameOf } = useNames();
  const project = webhook.project_id;
  const [rotated, setRotated] = useState<WebhookWithSecret>();
  const rotation = useMutation({
    mutationFn: () => api.organization.webhooks.rotateSecret(webhook.id, { grace_seconds: 3600 }),
    onSuccess: setRotated,
  });
  const deletion = useDeletion('webhooks', webhookQuery(webhook.id).queryKey, () =>
    api.organization.webhooks.delete(webhook.id),
  );
  const failure = rotation.error ?? deletion.error;
  return (
    <>
      <PageHeader title={webhook.name || webhook.url} subtitle={<NamedId id={webhook.id} />}>
        <ConfirmButton
          label="Rotate secret"
          title="Rotate the signing secret?"
          text="Deliveries are signed with the new secret, and for an hour also with the previous one."
          confirmLabel="Create a new secret"
          disabled={rotation.isPending}
          onConfirm={() => rotation.mutate()}
        />
        <DeleteButton
          kind="webhook"
          text="No more events are sent to it, and the log of its deliveries is deleted."
          deletion={deletion}
        />
      </PageHeader>
      {failure !== null && <ErrorNotice title="The webhook was not changed." error={failure} />}
      {rotated !== undefined && <WebhookSecret webhook={rotated} onClose={() => setRotated(undefined)} />}
      <DescriptionList
        entries={[
          ['URL', webhook.url],
          ['Project', project === null ? 'all' : <NamedId key="project" id={project} name={nameOf(project)} />],
          ['Events', webhook.event_types?.join(', ') ?? 'all'],
          ['State', webhook.enabled ? 'enabled' : 'disabled'],
          ['Created', formatTime(webhook.created_at)],
        ]}
      />
      <Deliveries webhook={webhook.id} />
    </>
  );
}

/** The deliveries of the last 30 days, newest first. Polled: pending deliveries change without a reload. */
function Deliveries({ webhook }: { readonly webhook: string }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<WebhookDelivery>();
  const query = useInfiniteQuery(webhookDeliveriesQuery(webhook, status));
  const redelivery = useMutation({
    mutationFn: (id: string) => api.organization.webhooks.deliveries.redeliver(id, { webhook_id: webhook }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhook', webhook, 'deliveries'] }),
  });
  const columns: readonly Column<WebhookDelivery>[] = [
    { header: 'Time', cell: ({ created_at }) => <RelativeTime seconds={created_at} /> },
    { header: 'Event', width: 170, grows: true, cell: ({ event_type }) => event_type },
    { header: 'Status', width: 110, cell: (delivery) => <Tag tone={toneOf(delivery)}>{delivery.status}</Tag> },
    { header: 'Attempts', width: 90, numeric: true, cell: ({ attempts }) => attempts.length },
    { header: 'Last result', width: 170, priority: 2, cell: ({ attempts }) => lastResult(attempts) },
    {
      header: 'Next attempt',
      priority: 3,
      cell: ({ next_attempt_at }) => <RelativeTime seconds={next_attempt_at} />,
    },
    createActionsColumn(180, (delivery) => (
      <>
        <Button aria-label={`Show ${delivery.event_id}`} onClick={() => setOpen(delivery)}>
          Show
        </Button>
        <Button
          aria-label={`Redeliver ${delivery.event_id}`}
          disabled={redelivery.isPending}
          onClick={() => redelivery.mutate(delivery.id)}
        >
          Redeliver
        </Button>
      </>
    )),
  ];
  return (
    <section className="sections" aria-label="Delivery log">
      <div className="section-header">
        <h2>Deliveries</h2>
        <div className="filters" role="search">
          <SelectField
            label="Status"
            options={[{ value: '', label: 'All' }, ...deliveryStatuses]}
            value={status}
            onChange={(selected) => void navigate({ search: { status: selected }, replace: true })}
          />
        </div>
      </div>
      {redelivery.error !== null && <ErrorNotice title="The event was not sent again." error={redelivery.error} />}
      <PagedTable
        label="Deliveries"
        columns={columns}
        query={query}
        empty={<p className="note">{status === '' ? 'No events were sent yet.' : 'No delivery has this status.'}</p>}
      />
      {open !== undefined && (
        <Modal title={open.event_type} onClose={() => setOpen(undefined)}>
          <CodeBlock code={JSON.stringify(open.payload, null, 2)} label="Body" />
          <CodeBlock code={open.attempts.map(attemptText).join('\n')} label="Attempts" />
        </Modal>
      )}
    </section>
  );
}

function toneOf({ status }: WebhookDelivery): Tone {
  if (status === 'succeeded') return 'good';
  if (status === 'failed') return 'bad';
  return status === 'canceled' ? 'warning' : 'neutral';
}

type Attempt = WebhookDelivery['attempts'][number];

function lastResult(attempts: readonly Attempt[]): string {
  const last = attempts.at(-1);
  return last === undefined ? '–' : resultText(last);
}

function resultText({ response_status, error }: Attempt): string {
  return error ?? `status ${response_status ?? '–'}`;
}

function attemptText(attempt: Attempt): string {
  return `${formatTime(attempt.created_at)}: ${resultText(attempt)} after ${formatDuration(attempt.duration_ms)}`;
}
