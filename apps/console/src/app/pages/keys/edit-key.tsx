import type { ProjectApiKey } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { fromLocalTime, toLocalTime } from '../../components/local-time.ts';
import { SelectField } from '../../components/select-field.tsx';
import { LimitInputs } from './limit-inputs.tsx';
import { changedLimits, fieldsOf } from './limits.ts';
import { roleOf, roles } from './roles.ts';

interface Props {
  readonly apiKey: ProjectApiKey;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the name, the role, the expiry and the limits of a key. Sends only the edited fields. */
export function EditKey({ apiKey, onSaved, onClose }: Props) {
  const before = { role: roleOf(apiKey.role), expires: toLocalTime(apiKey.expires_at), limits: fieldsOf(apiKey) };
  const [name, setName] = useState(apiKey.name);
  const [role, setRole] = useState(before.role);
  const [expires, setExpires] = useState(before.expires);
  const [limits, setLimits] = useState(before.limits);
  const saving = useMutation({
    mutationFn: () =>
      api.organization.projects.apiKeys.update(apiKey.id, {
        project_id: apiKey.project_id,
        ...(name !== apiKey.name && { name }),
        ...(role !== before.role && { role }),
        ...(expires !== before.expires && { expires_at: fromLocalTime(expires) }),
        ...changedLimits(before.limits, limits),
      }),
    onSuccess: onSaved,
  });
  return (
    <DialogForm title={`Edit ${apiKey.name}`} submitLabel="Save key" saving={saving} onClose={onClose}>
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
