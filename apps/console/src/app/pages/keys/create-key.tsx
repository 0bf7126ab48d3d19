import { TextInput } from '@mantine/core';
import type { ProjectApiKeyRole, ProjectApiKeyWithValue } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { LimitInputs } from './limit-inputs.tsx';
import { fieldsToLimits, noLimits } from './limits.ts';
import { roles } from './roles.ts';

const secondsPerDay = 86_400;

interface Props {
  readonly project: string;
  readonly onCreated: (key: ProjectApiKeyWithValue) => Promise<void>;
  readonly onClose: () => void;
}

/** Creates a key with a role, an expiry and limits. */
export function CreateKey({ project, onCreated, onClose }: Props) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<ProjectApiKeyRole>('full');
  const [days, setDays] = useState('');
  const [limits, setLimits] = useState(noLimits);
  const creation = useMutation({
    mutationFn: () =>
      api.organization.projects.apiKeys.create(project, {
        name,
        role,
        expires_at: days === '' ? null : Math.floor(Date.now() / 1000) + Number(days) * secondsPerDay,
        ...fieldsToLimits(limits),
      }),
    onSuccess: onCreated,
  });
  return (
    <FormDialog
      title="New key"
      submitLabel="Create key"
      submission={creation}
      errorTitle="The key was not created."
      onClose={onClose}
    >
      <TextInput label="Name" value={name} required maxLength={200} onChange={(event) => setName(event.target.value)} />
      <SelectField label="Role" options={roles} value={role} onChange={setRole} />
      <NumberField label="Expires in days" placeholder="never" value={days} onChange={setDays} />
      <LimitInputs value={limits} onChange={setLimits} />
    </FormDialog>
  );
}
