import type { Dataset } from '@modelwire/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ParameterFields, readParameters, storedParameters } from './parameter-fields.tsx';

interface Props {
  readonly dataset: Dataset;
  readonly onClose: () => void;
}

/** Runs the requests of a dataset again, and opens the batch that does. */
export function RerunDataset({ dataset, onClose }: Props) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [parameters, setParameters] = useState(storedParameters);
  const rerun = useMutation({
    mutationFn: async (_: undefined) =>
      api.datasets.rerun({ dataset: dataset.id, parameters: readParameters(parameters) }),
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['batches'] });
      await navigate({ to: '/batches/$id', params: { id } });
    },
  });
  return (
    <FormDialog
      title={`Run ${dataset.name} again`}
      submitLabel="Start batch"
      errorTitle="The batch was not started."
      submission={rerun}
      onClose={onClose}
    >
      <p className="note">Each request runs once, when other requests leave capacity. The results are stored.</p>
      <ParameterFields value={parameters} onChange={setParameters} />
    </FormDialog>
  );
}
