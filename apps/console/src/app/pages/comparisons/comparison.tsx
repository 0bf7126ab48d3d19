import { Button } from '@mantine/core';
import type { DatasetComparison } from '@modelwire/client';
import { Link } from '@tanstack/react-router';
import { comparisonQuery, deleteComparison } from '../../api/datasets.ts';
import { fileContentURL } from '../../api/files.ts';
import { isPermitted } from '../../api/permissions.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { quiet } from '../../components/quiet.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { useSession } from '../../shell/session-context.ts';
import { Cases } from './cases.tsx';
import { Errors } from './errors.tsx';
import { Scores } from './scores.tsx';
import { Sides } from './sides.tsx';

/** The report of one comparison: scores, what both sides took, and the cases. */
export const ComparisonPage: React.FunctionComponent = createDetailPage('comparisons', comparisonQuery, Detail);

function Detail({ entry: comparison }: DetailProps<DatasetComparison>) {
  const session = useSession();
  const { id, name, csv_file_id } = comparison;
  const deletion = useDeletion('comparisons', comparisonQuery(id).queryKey, () => deleteComparison(comparison));
  const casesFileId = comparison.cases_file_id ?? undefined;
  return (
    <>
      <PageHeader
        title={name}
        subtitle={
          <>
            <RelativeTime seconds={comparison.created_at} />
            {' · '}
            <Link to="/datasets/$id" params={{ id: comparison.dataset }}>
              Dataset
            </Link>
            <BatchLinks label="candidate" ids={comparison.candidate_batch_ids} />
            <BatchLinks label="baseline" ids={comparison.baseline_batch_ids ?? []} />
          </>
        }
      >
        <Download id={id} filename={`${name}.json`} label="Report as JSON" />
        {casesFileId !== undefined && (
          <Download id={casesFileId} filename={`${name}.jsonl`} label="Cases as JSON Lines" />
        )}
        <Download id={csv_file_id} filename={`${name}.csv`} label="Cases as CSV" />
        {isPermitted(session, 'write') && (
          <DeleteButton
            kind="comparison"
            name={name}
            text="Its files are deleted with it. The dataset and the batches stay."
            deletion={deletion}
          />
        )}
      </PageHeader>
      {deletion.error !== null && <ErrorNotice title="The comparison was not deleted." error={deletion.error} />}
      <Errors lacking="a reply of the candidate" errors={comparison.candidate.errors} />
      <Errors lacking="a reply of the baseline" errors={comparison.baseline.errors} />
      <div className="comparison-summary">
        <Scores comparison={comparison} />
        <Sides comparison={comparison} />
      </div>
      {casesFileId !== undefined && <Cases comparison={comparison} fileId={casesFileId} />}
    </>
  );
}

interface DownloadProps {
  readonly id: string;
  readonly filename: string;
  readonly label: string;
}

function Download({ id, filename, label }: DownloadProps) {
  return (
    <Button component="a" {...quiet} href={fileContentURL(id)} download={filename}>
      {label}
    </Button>
  );
}

function BatchLinks({ label, ids }: { readonly label: string; readonly ids: readonly string[] }) {
  return ids.map((id, index) => (
    <span key={id}>
      {' · '}
      <Link to="/batches/$id" params={{ id }}>
        Batch of the {label}
        {ids.length > 1 && ` ${index + 1}`}
      </Link>
    </span>
  ));
}
