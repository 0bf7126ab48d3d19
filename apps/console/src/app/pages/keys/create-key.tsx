import type { ProjectApiKeyRole, ProjectApiKeyWithValue } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormCard } from '../../components/form-card.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { LimitInputs } from './limit-inputs.tsx';
import { fieldsToLimits, noLimits } from './limits.ts';
import { roles } from './roles.ts';

const secondsPerDay = 86_400;

interface Props {
  readonly project: string;
  readonly onCreated: (key: ProjectApiKeyWithValue) => void;
}

/** Creates a key with a role, an expiry and limits. */
export function CreateKey({ project, onCreated }: Props) {
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
    onSuccess: (key) => {
      setName('');
      onCreated(key);
    },
  });
  return (
    <FormCard title="New key" submission={creation} errorTitle="The key was not created.">
      <div className="filters">
        <label className="field">
          Name
          <input value={name} required maxLength={200} onChange={(event) => setName(event.target.value)} />
        </label>
        <SelectField label="Role" options={roles} value={role} onChange={setRole} />
        <NumberField label="Expires in days" placeholder="never" value={days} onChange={setDays} />
      </div>
      <details className="more">
        <summary>Limits</summary>
        <div className="filters">
          <LimitInputs value={limits} onChange={setLimits} />
        </div>
      </details>
      <button type="submit" className="primary" disabled={creation.isPending}>
        Create key
      </button>
    </FormCard>
  );
}
