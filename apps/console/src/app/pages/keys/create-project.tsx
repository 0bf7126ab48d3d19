import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';

export function CreateProject({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const creation = useMutation({
    mutationFn: () => api.organization.projects.create({ name }),
    onSuccess: async ({ id }) => {
      setName('');
      await queryClient.resetQueries({ queryKey: ['projects'] });
      onCreated(id);
    },
  });
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        creation.mutate();
      }}
    >
      <label className="field">
        New project
        <input value={name} required maxLength={200} onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit" disabled={creation.isPending}>
        Create project
      </button>
      {creation.error !== null && <ErrorNotice title="The project was not created." error={creation.error} />}
    </form>
  );
}
