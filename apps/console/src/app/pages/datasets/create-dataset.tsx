import { Checkbox, TextInput } from '@mantine/core';
import type { DatasetCreateParams } from '@modelwire/client';
import { useState } from 'react';
import { createDataset } from '../../api/datasets.ts';
import { parseMetadataFilter } from '../../api/metadata-filter.ts';
import { JobDialog } from '../../components/job-dialog.tsx';
import { ModelField } from '../../components/model-field.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useSession } from '../../shell/session-context.ts';
import { TimeRange } from '../../components/time-range.tsx';
import { formats } from './formats.ts';
import { ParameterFields, readParameters, storedParameters } from './parameter-fields.tsx';

/** The completions of a dataset, as the URL contains them. */
interface DatasetFilters {
  readonly model: string;
  /** See `parseMetadataFilter`. */
  readonly metadata: string;
  /** Unix seconds; 0 if there is no limit. */
  readonly start_time: number;
  readonly end_time: number;
}

interface Props {
  readonly initialFilters: DatasetFilters;
  readonly onClose: () => void;
}

/** Creates a dataset from the stored completions of the project. */
export function CreateDataset({ initialFilters, onClose }: Props) {
  const { project } = useSession();
  const [name, setName] = useState('');
  const [format, setFormat] = useState<DatasetCreateParams['format']>('evaluation');
  const [filters, setFilters] = useState(initialFilters);
  const [limit, setLimit] = useState('');
  const [deduplicate, setDeduplicate] = useState(true);
  const [testPercent, setTestPercent] = useState('');
  const [seed, setSeed] = useState('');
  const [parameters, setParameters] = useState(storedParameters);
  const create = async (onStep: (step: string) => void): Promise<string> =>
    createDataset(
      {
        format,
        filter: toFilter(filters),
        deduplicate,
        ...(name !== '' && { name }),
        ...(limit !== '' && { limit: Number(limit) }),
        ...(testPercent !== '' && { split: { test: Number(testPercent) / 100, seed: Number(seed) } }),
        ...(format === 'batch' && { parameters: readParameters(parameters) }),
      },
      onStep,
    );
  return (
    <JobDialog
      title="New dataset"
      submitLabel="Create dataset"
      errorTitle="The dataset was not created."
      list="datasets"
      run={create}
      onClose={onClose}
    >
      <p className="note">From the stored completions of the project {project}.</p>
      <TextInput
        label="Name"
        placeholder="dataset"
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField label="Format" options={formats} value={format} onChange={setFormat} />
      {format === 'batch' && <ParameterFields value={parameters} onChange={setParameters} />}
      <fieldset className="stack">
        <legend>Completions</legend>
        <ModelField
          label="Model of the completions"
          emptyLabel="All models"
          value={filters.model}
          onChange={(model) => setFilters({ ...filters, model })}
        />
        <TextInput
          label="Metadata"
          placeholder="key=value, key=value"
          value={filters.metadata}
          onChange={(event) => setFilters({ ...filters, metadata: event.target.value })}
        />
        <TimeRange
          start={filters.start_time}
          end={filters.end_time}
          onChange={(range) => setFilters({ ...filters, ...range })}
        />
        <NumberField label="At most" placeholder="1000000" value={limit} onChange={setLimit} />
      </fieldset>
      <fieldset className="stack">
        <legend>Lines</legend>
        <Checkbox
          label="Leave out lines that are equal to an earlier one"
          checked={deduplicate}
          onChange={(event) => setDeduplicate(event.target.checked)}
        />
        <div className="columns">
          <NumberField
            label="Part for tests in %"
            placeholder="none"
            min={0}
            step="any"
            value={testPercent}
            onChange={setTestPercent}
          />
          {testPercent !== '' && <NumberField label="Seed" placeholder="0" min={0} value={seed} onChange={setSeed} />}
        </div>
      </fieldset>
    </JobDialog>
  );
}

function toFilter({ model, metadata, start_time, end_time }: DatasetFilters): DatasetCreateParams['filter'] {
  const pairs = parseMetadataFilter(metadata);
  return {
    ...(model !== '' && { model }),
    ...(Object.keys(pairs).length > 0 && { metadata: pairs }),
    ...(start_time > 0 && { start_time }),
    ...(end_time > 0 && { end_time }),
  };
}
