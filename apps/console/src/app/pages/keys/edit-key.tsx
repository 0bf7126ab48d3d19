import { TextInput } from '@mantine/core';
import type { ProjectApiKey } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { fromLocalTime, toLocalTime } from '../../components/local-time.ts';
import { SelectField } from '../../components/select-field.tsx';
import { LimitInputs } from './limit-inputs.tsx';
import { changedLimits, limitsToFields } from './limits.ts';
import { roleOf, roles } from './roles.ts';

interface Props {
  readonly apiKey: ProjectApiKey;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the name, the role, the expiry and the limits of a key. Sends only the edited fields. */
export function EditKey({ apiKey, onSaved, onClose }: Props) {
  const initial = {
    role: roleOf(apiKey.role),
    expires: toLocalTime(apiKey.expires_at),
    limits: limitsToFields(apiKey),
  };
  const [name, setName] = useState(apiKey.name);
  const [role, setRole] = useState(initial.role);
  const [expires, setExpires] = useState(initial.expires);
  const [limits, setLimits] = useState(initial.limits);
  const update = useMutation({
    mutationFn: () =>
      api.organization.projects.apiKeys.update(apiKey.id, {
        project_id: apiKey.project_id,
        ...(name !== apiKey.name && { name }),
        ...(role !== initial.role && { role }),
        ...(expires !== initial.expires && { expires_at: fromLocalTime(expires) }),
        ...changedLimits(initial.limits, limits),
      }),
    onSuccess: onSaved,
  });
  return (
    <FormDialog title={`Edit ${apiKey.name}`} submitLabel="Save key" submission={update} onClose={onClose}>
      <TextInput label="Name" value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      <SelectField label="Role" options={roles} value={role} onChange={setRole} />
      <TextInput
        label="Expires"
        type="datetime-local"
        value={expires}
        onChange={(event) => setExpires(event.target.value)}
      />
      <LimitInputs value={limits} onChange={setLimits} />
    </FormDialog>
  );
}
