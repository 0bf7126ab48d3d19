import type { Batch, BatchEndpoint } from '@modelwire/client';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { JobDialog } from '../../components/job-dialog.tsx';
import { ModelField } from '../../components/model-field.tsx';
import { failedLines } from './failed-lines.ts';

interface Props {
  readonly batch: Batch;
  readonly endpoint: BatchEndpoint;
  readonly onClose: () => void;
}

/** Runs the failed requests of a batch again, as a new batch. */
export function RerunFailed({ batch, endpoint, onClose }: Props) {
  const [model, setModel] = useState('');
  const name = `${batch.metadata?.['name'] ?? 'Batch'}, failed requests`.slice(0, 512);
  const run = async (onStep: (step: string) => void): Promise<string> => {
    onStep('Reading the failed requests');
    const [input, errors] = await Promise.all(
      [batch.input_file_id, batch.error_file_id ?? ''].map(async (id) => (await api.files.content(id)).text()),
    );
    const lines = failedLines(input ?? '', errors ?? '', model);
    onStep('Creating the batch');
    const file = await api.files.create({
      file: new File([lines], `${name}.jsonl`, { type: 'application/jsonl' }),
      purpose: 'batch',
    });
    const { id } = await api.batches.create({
      input_file_id: file.id,
      endpoint,
      completion_window: '24h',
      metadata: { name },
    });
    return id;
  };
  return (
    <JobDialog
      title="Run the failed requests again"
      submitLabel="Start batch"
      errorTitle="The batch was not started."
      list="batches"
      run={run}
      onClose={onClose}
    >
      <ModelField label="Model" emptyLabel="That of each request" value={model} onChange={setModel} />
    </JobDialog>
  );
}
