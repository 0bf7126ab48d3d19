import type { Dataset } from '@modelwire/client';
import { useState } from 'react';
import { rerunDataset } from '../../api/datasets.ts';
import { JobDialog } from '../../components/job-dialog.tsx';
import { ParameterFields, readParameters, storedParameters } from './parameter-fields.tsx';

interface Props {
  readonly dataset: Dataset;
  readonly onClose: () => void;
}

/** Runs the requests of a dataset again as a batch. */
export function RerunDataset({ dataset, onClose }: Props) {
  const [parameters, setParameters] = useState(storedParameters);
  const run = async (onStep: (step: string) => void): Promise<string> => {
    const [first = ''] = await rerunDataset(dataset, readParameters(parameters), onStep);
    return first;
  };
  return (
    <JobDialog
      title={`Run ${dataset.name} again`}
      submitLabel="Start batch"
      errorTitle="The batch was not started."
      list="batches"
      endsWithPage
      run={run}
      onClose={onClose}
    >
      <p className="note">Each request runs once, when other requests leave capacity. The results are stored.</p>
      <ParameterFields value={parameters} onChange={setParameters} />
    </JobDialog>
  );
}
