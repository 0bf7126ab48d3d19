import { TextInput } from '@mantine/core';
import type { Project } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { LimitInputs } from './limit-inputs.tsx';
import { changedLimits, limitsToFields } from './limits.ts';

const bytesPerMegabyte = 1e6;

interface Props {
  readonly project: Project;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the name and the limits of a project. Sends only the edited fields. */
export function EditProject({ project, onSaved, onClose }: Props) {
  const { storage_limit_bytes: bytes } = project;
  const initial = { limits: limitsToFields(project), storage: bytes === null ? '' : String(bytes / bytesPerMegabyte) };
  const [name, setName] = useState(project.name);
  const [limits, setLimits] = useState(initial.limits);
  const [storage, setStorage] = useState(initial.storage);
  const update = useMutation({
    mutationFn: () =>
      api.organization.projects.update(project.id, {
        ...(name !== project.name && { name }),
        ...changedLimits(initial.limits, limits),
        ...(storage !== initial.storage && {
          storage_limit_bytes: storage === '' ? null : Math.round(Number(storage) * bytesPerMegabyte),
        }),
      }),
    onSuccess: onSaved,
  });
  return (
    <FormDialog title={`Edit ${project.name}`} submitLabel="Save project" submission={update} onClose={onClose}>
      <TextInput
        label="Project name"
        value={name}
        required
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
      />
      <LimitInputs value={limits} onChange={setLimits} />
      <NumberField
        label="Storage (MB)"
        placeholder="unlimited"
        min={0}
        step="any"
        value={storage}
        onChange={setStorage}
      />
    </FormDialog>
  );
}
