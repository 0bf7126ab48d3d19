import { Checkbox, TextInput } from '@mantine/core';
import { webhookEventTypes } from '@modelwire/client';
import type { WebhookEventType, WebhookWithSecret } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ProjectField } from '../../components/project-field.tsx';

interface Props {
  readonly onCreated: (webhook: WebhookWithSecret) => Promise<void>;
  readonly onClose: () => void;
}

/** Creates a webhook. Its secret is passed to `onCreated` only. */
export function CreateWebhook({ onCreated, onClose }: Props) {
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
    onSuccess: onCreated,
  });
  return (
    <FormDialog
      title="New webhook"
      submitLabel="Create webhook"
      submission={creation}
      errorTitle="The webhook was not created."
      onClose={onClose}
    >
      <TextInput
        label="URL"
        type="url"
        value={url}
        required
        placeholder="https://hooks.example.com/modelwire"
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextInput label="Name" value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      <ProjectField label="Project" emptyLabel="All projects and the server" value={project} onChange={setProject} />
      <details>
        <summary>Events: {types.length === 0 ? 'all' : types.join(', ')}</summary>
        {webhookEventTypes.map((type) => (
          <Checkbox
            key={type}
            label={type}
            checked={types.includes(type)}
            onChange={(event) =>
              setTypes(event.target.checked ? [...types, type] : types.filter((selected) => selected !== type))
            }
          />
        ))}
      </details>
    </FormDialog>
  );
}
