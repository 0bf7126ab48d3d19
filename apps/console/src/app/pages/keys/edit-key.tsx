import type { ProjectApiKey } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
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
    <DialogForm title={`Edit ${apiKey.name}`} submitLabel="Save key" mutation={update} onClose={onClose}>
      <label className="field">
        Name
        <input value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      </label>
      <SelectField label="Role" options={roles} value={role} onChange={setRole} />
      <label className="field">
        Expires
        <input type="datetime-local" value={expires} onChange={(event) => setExpires(event.target.value)} />
      </label>
      <LimitInputs value={limits} onChange={setLimits} />
    </DialogForm>
  );
}
