import { webhookEventTypes } from '@modelwire/client';
import type { WebhookEventType, WebhookWithSecret } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormCard } from '../../components/form-card.tsx';
import { ProjectField } from '../../components/project-field.tsx';

/** Creates a webhook. Its secret is passed to `onCreated` only. */
export function CreateWebhook({ onCreated }: { readonly onCreated: (webhook: WebhookWithSecret) => Promise<void> }) {
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [project, setProject] = useState('');
  const [types, setTypes] = useState<readonly WebhookEventType[]>([]);
  const creation = useMutation({
    mutationFn: () =>
      api.organization.webhooks.create({
        url,
        name,
        project_id: project === '' ? null : project,
        event_types: types.length === 0 ? null : types,
      }),
    onSuccess: async (webhook) => {
      setUrl('');
      setName('');
      await onCreated(webhook);
    },
  });
  return (
    <FormCard title="New webhook" submission={creation} errorTitle="The webhook was not created.">
      <div className="filters">
        <label className="field">
          URL
          <input
            type="url"
            value={url}
            required
            placeholder="https://hooks.example.com/modelwire"
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <label className="field">
          Name
          <input value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
        </label>
        <ProjectField label="Project" emptyLabel="All projects and the server" value={project} onChange={setProject} />
      </div>
      <details className="more">
        <summary>Events: {types.length === 0 ? 'all' : types.join(', ')}</summary>
        {webhookEventTypes.map((type) => (
          <label className="check" key={type}>
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={(event) =>
                setTypes(event.target.checked ? [...types, type] : types.filter((selected) => selected !== type))
              }
            />
            {type}
          </label>
        ))}
      </details>
      <button type="submit" className="primary" disabled={creation.isPending}>
        Create webhook
      </button>
    </FormCard>
  );
}
