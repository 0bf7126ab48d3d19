import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { Batch, Dataset } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { batchesQuery, isBatchActive } from '../../api/batches.ts';
import { compareDataset } from '../../api/datasets.ts';
import { CodeField } from '../../components/code-field.tsx';
import { formatRelativeTime } from '../../components/format.ts';
import { JobDialog } from '../../components/job-dialog.tsx';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { ModelField } from '../../components/model-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { areScorersComplete, defaultScorers, readScorers } from './scorers.ts';

interface Props {
  readonly dataset: Dataset;
  /** Empty if no batch is selected at first. */
  readonly initialBatchId: string;
  readonly onClose: () => void;
}

const rerunEndpoint = '/v1/datasets/rerun';
const isCompletedRerun = ({ endpoint, output_file_id }: Batch): boolean =>
  endpoint === rerunEndpoint && typeof output_file_id === 'string';
/** Not one that a rerun has started. */
const isOtherRun = ({ endpoint, metadata }: Batch): boolean =>
  endpoint === '/v1/chat/completions' && metadata?.['modelwire_started_by'] === undefined;

const judgeModes = [
  { value: 'pairwise', label: 'Which of both replies is better, asked in both orders' },
  { value: 'rubric', label: '1 to 5 points for each reply' },
] as const;

/** Compares the replies of reruns of a dataset with those of the dataset. */
export function CompareDataset({ dataset, initialBatchId, onClose }: Props) {
  const [name, setName] = useState('');
  const [candidates, setCandidates] = useState<ReadonlySet<string>>(
    new Set(initialBatchId === '' ? [] : [initialBatchId]),
  );
  const [baseline, setBaseline] = useState('');
  const [scorers, setScorers] = useState(defaultScorers);
  const set = (changes: Partial<typeof scorers>): void => setScorers({ ...scorers, ...changes });
  const query = useInfiniteQuery(batchesQuery);
  const ended = (query.data?.pages.flatMap((page) => page.data) ?? []).filter(
    (batch) => !isBatchActive(batch) && (isCompletedRerun(batch) || isOtherRun(batch)),
  );
  const isRerun = ({ endpoint, metadata }: Batch): boolean =>
    endpoint === rerunEndpoint && metadata?.['dataset_id'] === dataset.id;
  const [areAllShown, setAllShown] = useState(false);
  const shown = areAllShown ? ended : ended.filter((batch) => isRerun(batch) || candidates.has(batch.id));
  // Batches that ran parts of the dataset in the order of their creation.
  const selected = ended
    .filter(({ id }) => candidates.has(id))
    .map(({ id }) => id)
    .reverse();
  const compare = async (onStep: (step: string) => void): Promise<string> =>
    compareDataset(
      {
        dataset: dataset.id,
        candidate_batch_ids: selected,
        ...(baseline !== '' && { baseline_batch_ids: [baseline] }),
        ...(name !== '' && { name }),
        scorers: readScorers(scorers),
      },
      onStep,
    );
  return (
    <JobDialog
      title={`Compare with ${dataset.name}`}
      submitLabel="Compare"
      errorTitle="The replies were not compared."
      isComplete={selected.length > 0 && areScorersComplete(scorers)}
      list="comparisons"
      run={compare}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="comparison"
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="stack">
        <legend>Candidate</legend>
        {shown.length === 0 && <p className="note">No rerun of this dataset has ended. Run it again first.</p>}
        {shown.map((batch) => (
          <Checkbox
            key={batch.id}
            label={labelOf(batch)}
            checked={candidates.has(batch.id)}
            onChange={({ target }) => {
              const others = [...candidates].filter((id) => id !== batch.id);
              setCandidates(new Set(target.checked ? [...others, batch.id] : others));
            }}
          />
        ))}
        <Checkbox
          label="Show other batches"
          checked={areAllShown}
          onChange={(event) => setAllShown(event.target.checked)}
        />
        <LoadMoreButton entries="batches" query={query} />
      </fieldset>
      <SelectField
        label="Baseline"
        options={[
          { value: '', label: 'The replies of the dataset' },
          ...shown.map((batch) => ({ value: batch.id, label: labelOf(batch) })),
        ]}
        value={baseline}
        onChange={setBaseline}
      />
      <fieldset className="stack">
        <legend>Scorers</legend>
        <Checkbox
          label="Equal to the reply of the dataset"
          checked={scorers.exact}
          onChange={(event) => set({ exact: event.target.checked })}
        />
        <Checkbox
          label="Equal apart from case, punctuation and whitespace"
          checked={scorers.normalized}
          onChange={(event) => set({ normalized: event.target.checked })}
        />
        <TextInput
          label="Matches the regular expression"
          placeholder="[A-Z][a-z]+"
          value={scorers.pattern}
          onChange={(event) => set({ pattern: event.target.value })}
        />
        <CodeField label="Matches the JSON Schema" value={scorers.schema} onChange={(schema) => set({ schema })} />
        <ModelField
          label="Similarity by the embedding model"
          emptyLabel="Off"
          kind="embedding"
          value={scorers.embeddingModel}
          onChange={(embeddingModel) => set({ embeddingModel })}
        />
        <ModelField
          label="Judged by the model"
          emptyLabel="Off"
          value={scorers.judgeModel}
          onChange={(judgeModel) => set({ judgeModel })}
        />
        {scorers.judgeModel !== '' && (
          <>
            <SelectField
              label="The judge says"
              options={judgeModes}
              value={scorers.judgeMode}
              onChange={(judgeMode) => set({ judgeMode })}
            />
            <Textarea
              label="What makes a reply good"
              required
              placeholder="It is correct and short."
              value={scorers.criteria}
              onChange={(event) => set({ criteria: event.target.value })}
            />
          </>
        )}
      </fieldset>
    </JobDialog>
  );
}

function labelOf({ id, metadata, model, created_at }: Batch): string {
  const facts = [metadata?.['name'] ?? id, model, formatRelativeTime(created_at, Date.now())];
  return facts.filter((fact) => typeof fact === 'string').join(' · ');
}
