import type { Batch, BatchEndpoint } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fileQuery } from '../../api/files.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { formatBytes } from '../../components/format.ts';
import { ModelField } from '../../components/model-field.tsx';
import { failedLines } from './failed-lines.ts';

/** Larger input files would take the page too long to read. */
const maxInputBytes = 50_000_000;

interface Props {
  readonly batch: Batch;
  readonly endpoint: BatchEndpoint;
  readonly errorFileId: string;
  readonly onClose: () => void;
}

/** Runs the failed requests of a batch again, as a new batch. */
export function RerunFailed({ batch, endpoint, errorFileId, onClose }: Props) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [model, setModel] = useState('');
  const bytes = useQuery(fileQuery(batch.input_file_id)).data?.bytes;
  const isTooLarge = bytes !== undefined && bytes > maxInputBytes;
  const rerun = useMutation({
    mutationFn: async (_: undefined) => {
      const [input, errors] = await Promise.all([readText(batch.input_file_id), readText(errorFileId)]);
      const name = `${batch.metadata?.['name'] ?? 'Batch'}, failed requests`.slice(0, 512);
      const lines = new File([failedLines(input, errors, model)], 'failed.jsonl', { type: 'application/jsonl' });
      const file = await api.files.create({ file: lines, purpose: 'batch' });
      try {
        return await api.batches.create({
          input_file_id: file.id,
          endpoint,
          completion_window: '24h',
          metadata: { name },
        });
      } catch (error) {
        await api.files.delete(file.id);
        throw error;
      }
    },
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['batches'] });
      await queryClient.invalidateQueries({ queryKey: ['files'] });
      await navigate({ to: '/batches/$id', params: { id } });
    },
  });
  return (
    <FormDialog
      title="Run the failed requests again"
      submitLabel={rerun.isPending ? 'Starting…' : 'Start batch'}
      errorTitle="The batch was not started."
      submission={rerun}
      isComplete={bytes !== undefined && !isTooLarge}
      onClose={onClose}
    >
      <ModelField label="Model" emptyLabel="That of each request" value={model} onChange={setModel} />
      {isTooLarge && (
        <p className="problem" role="alert">
          The input file has {formatBytes(bytes)}, more than the {formatBytes(maxInputBytes)} that the console reads.
        </p>
      )}
    </FormDialog>
  );
}

const readText = async (id: string): Promise<string> => (await api.files.content(id)).text();
