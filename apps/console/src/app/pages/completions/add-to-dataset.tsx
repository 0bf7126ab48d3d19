import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatMetadataFilter } from '../../api/metadata-filter.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';

interface MarkedCompletion {
  readonly id: string;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

interface Props {
  readonly completions: readonly MarkedCompletion[];
}

/** Marks completions for a dataset, which is then created from all completions with the mark. */
export function AddToDataset({ completions }: Props) {
  return (
    <CreateButton label="Add to dataset" variant="default">
      {(onClose) => <Form completions={completions} onClose={onClose} />}
    </CreateButton>
  );
}

function Form({ completions, onClose }: Props & { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const update = useMutation({
    mutationFn: async () => {
      for (const { id, metadata } of completions)
        await api.chat.completions.update(id, { metadata: { ...metadata, dataset: name } });
    },
    onSettled: async () => {
      for (const { id } of completions) await queryClient.invalidateQueries({ queryKey: ['completion', id] });
      await queryClient.invalidateQueries({ queryKey: ['completions'] });
    },
  });
  return (
    <FormDialog
      title="Add to dataset"
      submitLabel="Add"
      submission={update}
      errorTitle="The metadata was not saved."
      onClose={onClose}
    >
      <TextInput
        label="Name of the dataset"
        required
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <p className="note">
        Sets <code>dataset={name || '…'}</code> in the metadata. Mark all completions that you want, then{' '}
        <Link to="/datasets" search={{ create: true, metadata: formatMetadataFilter({ dataset: name }) }}>
          create the dataset
        </Link>{' '}
        from those with this metadata.
      </p>
    </FormDialog>
  );
}
