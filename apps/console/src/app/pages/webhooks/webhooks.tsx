import { Button } from '@mantine/core';
import type { Webhook, WebhookWithSecret } from '@modelwire/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { api } from '../../api/client.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { useNames } from '../../api/names.ts';
import { webhooksQuery } from '../../api/organization.ts';
import { createActionsColumn } from '../../components/actions-column.tsx';
import type { Column } from '../../components/columns.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { createLinkColumn } from '../../components/link-column.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowConfirmButton } from '../../components/row-confirm-button.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { Tag } from '../../components/tag.tsx';

/** The URLs to which the server sends events. */
export function Webhooks() {
  const queryClient = useQueryClient();
  const { nameOf } = useNames();
  const [created, setCreated] = useState<WebhookWithSecret>();
  const query = useInfiniteQuery(webhooksQuery);
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  const activation = useMutation({
    mutationFn: ({ id, enabled }: Webhook) => api.organization.webhooks.update(id, { enabled: !enabled }),
    onSuccess: reload,
  });
  const deletion = useMutation({ mutationFn: (id: string) => api.organization.webhooks.delete(id), onSuccess: reload });
  const failure = activation.error ?? deletion.error;
  const columns: readonly Column<Webhook>[] = [
    createLinkColumn<Webhook>('URL', 'webhooks', ({ url }) => url),
    { header: 'Name', width: 110, sortBy: ({ name }) => name, cell: ({ name }) => (name === '' ? '–' : name) },
    {
      header: 'Project',
      width: 120,
      priority: 3,
      cell: ({ project_id }) => (project_id === null ? 'all' : <NamedId id={project_id} name={nameOf(project_id)} />),
    },
    {
      header: 'Events',
      width: 160,
      priority: 2,
      cell: ({ event_types }) => <span title={event_types?.join(', ')}>{event_types?.join(', ') ?? 'all'}</span>,
    },
    {
      header: 'State',
      width: 110,
      cell: ({ enabled }) => <Tag tone={enabled ? 'good' : 'warning'}>{enabled ? 'enabled' : 'disabled'}</Tag>,
    },
    { header: 'Created', width: 120, priority: 2, cell: ({ created_at }) => <RelativeTime seconds={created_at} /> },
    createActionsColumn(170, (webhook) => (
      <>
        <Button
          aria-label={`${webhook.enabled ? 'Disable' : 'Enable'} ${webhook.url}`}
          disabled={activation.isPending}
          onClick={() => activation.mutate(webhook)}
        >
          {webhook.enabled ? 'Disable' : 'Enable'}
        </Button>
        <RowConfirmButton
          action="Delete"
          kind="webhook"
          name={webhook.url}
          text="No more events are sent to it, and the log of its deliveries is deleted."
          onConfirm={() => deletion.mutate(webhook.id)}
        />
      </>
    )),
  ];
  return (
    <>
      <PageHeader title="Webhooks">
        <CreateButton label="New webhook">
          {(onClose) => (
            <CreateWebhook
              onCreated={async (webhook) => {
                setCreated(webhook);
                await reload();
              }}
              onClose={onClose}
            />
          )}
        </CreateButton>
      </PageHeader>
      {created !== undefined && <WebhookSecret webhook={created} onClose={() => setCreated(undefined)} />}
      {failure !== null && <ErrorNotice title="The webhook was not changed." error={failure} />}
      <PagedTable
        label="Webhooks"
        columns={columns}
        query={query}
        empty={
          <EmptyState
            title="No webhooks"
            command={curlCommand(`${apiBaseURL}/organization/webhooks`, {
              url: 'https://hooks.example.com/modelwire',
              event_types: ['batch.completed'],
            })}
          >
            <p>
              The server sends events to webhooks, such as the end of a batch. Create one with the button above, or with
              the API:
            </p>
          </EmptyState>
        }
      />
    </>
  );
}
