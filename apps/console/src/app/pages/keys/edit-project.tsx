import type { Project } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { LimitInputs } from './limit-inputs.tsx';
import { changedLimits, fieldsOf } from './limits.ts';

const bytesOfMegabyte = 1e6;

interface Props {
  readonly project: Project;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the name and the limits of a project. Sends only the edited fields. */
export function EditProject({ project, onSaved, onClose }: Props) {
  const { storage_limit_bytes: bytes } = project;
  const before = { limits: fieldsOf(project), storage: bytes === null ? '' : String(bytes / bytesOfMegabyte) };
  const [name, setName] = useState(project.name);
  const [limits, setLimits] = useState(before.limits);
  const [storage, setStorage] = useState(before.storage);
  const saving = useMutation({
    mutationFn: () =>
      api.organization.projects.update(project.id, {
        ...(name !== project.name && { name }),
        ...changedLimits(before.limits, limits),
        ...(storage !== before.storage && {
          storage_limit_bytes: storage === '' ? null : Math.round(Number(storage) * bytesOfMegabyte),
        }),
      }),
    onSuccess: onSaved,
  });
  return (
    <DialogForm title={`Edit ${project.name}`} submitLabel="Save project" saving={saving} onClose={onClose}>
      <label className="field">
        Project name
        <input value={name} required maxLength={200} onChange={(event) => setName(event.target.value)} />
      </label>
      <LimitInputs value={limits} onChange={setLimits} />
      <NumberField
        label="Storage (MB)"
        placeholder="unlimited"
        min={0}
        step="any"
        value={storage}
        onChange={setStorage}
      />
    </DialogForm>
  );
}
