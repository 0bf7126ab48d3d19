import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';

interface Props {
  readonly onCreated: (id: string) => void;
  readonly onClose: () => void;
}

export function CreateProject({ onCreated, onClose }: Props) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const creation = useMutation({
    mutationFn: () => api.organization.projects.create({ name }),
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['projects'] });
      onCreated(id);
    },
  });
  return (
    <FormDialog
      title="New project"
      submitLabel="Create project"
      submission={creation}
      errorTitle="The project was not created."
      onClose={onClose}
    >
      <TextInput
        label="Project name"
        value={name}
        required
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
