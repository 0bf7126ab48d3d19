import { Button } from '@mantine/core';
import type { Dataset, DatasetFile } from '@modelwire/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { datasetQuery, deleteDataset } from '../../api/datasets.ts';
import { fileContentURL } from '../../api/files.ts';
import { formatMetadataFilter } from '../../api/metadata-filter.ts';
import { isPermitted } from '../../api/permissions.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import type { Column } from '../../components/columns.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { CreateButton } from '../../components/create-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatBytes, formatNumber, formatShare, formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { useSession } from '../../shell/session-context.ts';
import { CompareDataset } from './compare-dataset.tsx';
import { formatLabel } from './formats.ts';
import { RerunDataset } from './rerun-dataset.tsx';

const route = getRouteApi('/datasets/$id');

/** One dataset: its files, what they were made of, reruns and comparisons. */
export const DatasetPage: React.FunctionComponent = createDetailPage('datasets', datasetQuery, Detail);

function Detail({ entry: dataset }: DetailProps<Dataset>) {
  const session = useSession();
  const { compare } = route.useSearch();
  const { id, name, format, counts, split } = dataset;
  const deletion = useDeletion('datasets', datasetQuery(id).queryKey, () => deleteDataset(dataset));
  const mayWrite = isPermitted(session, 'write');
  return (
    <>
      <PageHeader title={name} subtitle={<RelativeTime seconds={dataset.created_at} />}>
        {mayWrite && format === 'evaluation' && (
          <>
            <CreateButton label="Run again">
              {(onClose) => <RerunDataset dataset={dataset} onClose={onClose} />}
            </CreateButton>
            <CreateButton key={compare} label="Compare" variant="default" isOpenAtFirst={compare !== ''}>
              {(onClose) => <CompareDataset dataset={dataset} initialBatchId={compare} onClose={onClose} />}
            </CreateButton>
          </>
        )}
        {mayWrite && (
          <DeleteButton
            kind="dataset"
            name={name}
            text="Its files are deleted with it. The completions and the comparisons stay."
            deletion={deletion}
          />
        )}
      </PageHeader>
      {deletion.error !== null && <ErrorNotice title="The dataset was not deleted." error={deletion.error} />}
      <DescriptionList
        entries={[
          ['Format', formatLabel(format)],
          ['Lines', formatNumber(counts.lines)],
          ['Completions read', formatNumber(counts.completions)],
          ['Duplicates left out', dataset.deduplicated ? formatNumber(counts.duplicates) : 'kept'],
          ['Not expressible', formatNumber(counts.skipped)],
          ['Part for tests', split ? `${formatShare(split.test)}, seed ${split.seed ?? 0}` : 'none'],
          ['Redacted', dataset.redacted ? 'yes' : 'no'],
          ['From', <Source key="source" dataset={dataset} />],
        ]}
      />
      <DataTable label="Files" columns={fileColumns(dataset)} rows={dataset.files} keyOf={({ file_id }) => file_id} />
      <details className="card">
        <summary>Manifest</summary>
        <div className="actions">
          <Button component="a" href={fileContentURL(id)} download={`${name}.json`}>
            Download manifest
          </Button>
        </div>
        <CodeBlock code={JSON.stringify(dataset, null, 2)} label="JSON" />
      </details>
    </>
  );
}

/** The completions, or the dataset, of which a dataset was made. */
function Source({ dataset: { dataset, filter } }: { readonly dataset: Dataset }) {
  if (typeof dataset === 'string')
    return (
      <Link to="/datasets/$id" params={{ id: dataset }}>
        another dataset
      </Link>
    );
  const { model, metadata = {}, start_time, end_time } = filter ?? {};
  const conditions = [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...Object.entries(metadata).map(([key, value]) => `${key}=${value}`),
    ...(start_time === undefined ? [] : [`from ${formatTime(start_time)}`]),
    ...(end_time === undefined ? [] : [`before ${formatTime(end_time)}`]),
  ];
  return (
    <Link
      to="/completions"
      search={{
        model: model ?? '',
        metadata: formatMetadataFilter(metadata),
        start_time: start_time ?? 0,
        end_time: end_time ?? 0,
      }}
    >
      {conditions.join(', ') || 'all completions'}
    </Link>
  );
}

function fileColumns({ name, format }: Dataset): readonly Column<DatasetFile>[] {
  return [
    {
      header: 'Part',
      width: 160,
      grows: true,
      cell: ({ file_id, split }) => (
        <Link to="/files/$id" params={{ id: file_id }}>
          {split === 'train' ? 'Training' : split === 'test' ? 'Test' : 'All'}
        </Link>
      ),
    },
    { header: 'Lines', width: 90, numeric: true, cell: ({ lines }) => formatNumber(lines) },
    { header: 'Size', width: 90, numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
    {
      header: 'SHA-256',
      width: 160,
      priority: 3,
      cell: ({ sha256 }) => (
        <span className="named-id">
          <code>{sha256.slice(0, 8)}</code>
          <CopyButton text={sha256} label="Copy the SHA-256" isIcon />
        </span>
      ),
    },
    {
      header: 'Actions',
      isHeaderHidden: true,
      width: format === 'batch' ? 210 : 110,
      cell: ({ file_id, split }) => (
        <div className="actions">
          <Button component="a" href={fileContentURL(file_id)} download={`${name}${split ? `-${split}` : ''}.jsonl`}>
            Download
          </Button>
          {format === 'batch' && (
            <Button renderRoot={(props) => <Link {...props} to="/batches" search={{ input: file_id }} />}>Run</Button>
          )}
        </div>
      ),
    },
  ];
}
