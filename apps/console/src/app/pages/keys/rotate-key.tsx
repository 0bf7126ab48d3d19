import type { ProjectApiKey, ProjectApiKeyWithValue } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';

const gracePeriods = [
  { value: 0, label: 'Revoke it immediately' },
  { value: 3600, label: 'Keep it valid for an hour' },
  { value: 86_400, label: 'Keep it valid for a day' },
  { value: 604_800, label: 'Keep it valid for a week' },
];

interface Props {
  readonly apiKey: ProjectApiKey;
  readonly onRotated: (key: ProjectApiKeyWithValue) => Promise<void>;
  readonly onClose: () => void;
}

/** Creates a new secret for a key, with a grace period in which the previous secret remains valid. */
export function RotateKey({ apiKey, onRotated, onClose }: Props) {
  const [graceSeconds, setGraceSeconds] = useState(0);
  const rotation = useMutation({
    mutationFn: () =>
      api.organization.projects.apiKeys.rotate(apiKey.id, {
        project_id: apiKey.project_id,
        grace_seconds: graceSeconds,
      }),
    onSuccess: onRotated,
  });
  return (
    <FormDialog title={`Rotate ${apiKey.name}?`} submitLabel="Rotate key" submission={rotation} onClose={onClose}>
      <p>The key gets a new secret, which is shown once. Its limits and budgets stay the same.</p>
      <SelectField label="Previous secret" options={gracePeriods} value={graceSeconds} onChange={setGraceSeconds} />
    </FormDialog>
  );
}
