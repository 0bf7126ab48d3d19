import { Button } from '@mantine/core';
import type { Batch } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { batchQuery, isBatchActive } from '../../api/batches.ts';
import { fileQuery } from '../../api/files.ts';
import { isPermitted } from '../../api/permissions.ts';
import type { Column } from '../../components/columns.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CreateButton } from '../../components/create-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatDuration, formatNumber, formatTime } from '../../components/format.ts';
import { NamedId } from '../../components/named-id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useSession } from '../../shell/session-context.ts';
import { BatchBar } from './batch-bar.tsx';
import { endpoints } from './endpoints.ts';
import { isHeld, progressOf, waitingText } from './progress.ts';
import { RerunFailed } from './rerun-failed.tsx';
import { StartedBatches } from './started-batches.tsx';
import { Results } from './results.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Notice } from '../../components/notice.tsx';

/** One batch: live progress, errors of its input, results. */
export const BatchPage: React.FunctionComponent = createDetailPage('batches', batchQuery, Detail);

function Detail({ entry: batch }: DetailProps<Batch>) {
  const session = useSession();
  const queryClient = useQueryClient();
  const cancellation = useMutation({
    mutationFn: () => api.batches.cancel(batch.id),
    onSuccess: (updated) => queryClient.setQueryData(batchQuery(batch.id).queryKey, updated),
  });
  const inputFile = useQuery(fileQuery(batch.input_file_id));
  const errorFileId = batch.error_file_id;
  const endpoint = endpoints.find((name) => name === batch.endpoint);
  const dataset = batch.metadata?.['dataset_id'];
  const { done, total, rate, remainingMs } = progressOf(batch, Date.now());
  return (
    <>
      <PageHeader title={batch.metadata?.['name'] ?? 'Batch'}>
        {dataset !== undefined && (
          <Button
            variant="filled"
            disabled={typeof batch.output_file_id !== 'string'}
            renderRoot={(props) => (
              <Link {...props} to="/datasets/$id" params={{ id: dataset }} search={{ compare: batch.id }} />
            )}
          >
            Compare with the dataset
          </Button>
        )}
        {endpoint && errorFileId && !isBatchActive(batch) && isPermitted(session, 'write') && (
          <CreateButton label="Run failed again" variant="default">
            {(onClose) => <RerunFailed batch={batch} endpoint={endpoint} errorFileId={errorFileId} onClose={onClose} />}
          </CreateButton>
        )}
        {isBatchActive(batch) && batch.status !== 'cancelling' && isPermitted(session, 'write') && (
          <ConfirmButton
            label="Cancel batch"
            title="Cancel this batch?"
            text="Completed requests keep their results. The others are not run."
            confirmLabel="Cancel the remaining requests"
            disabled={cancellation.isPending}
            onConfirm={() => cancellation.mutate()}
          />
        )}
      </PageHeader>
      {cancellation.error !== null && <ErrorNotice title="The batch was not cancelled." error={cancellation.error} />}
      <section className="card" aria-label="Progress">
        <p role="status">
          <StatusBadge batch={batch} /> {formatNumber(done)} of {formatNumber(total)} requests
          {rate !== undefined && ` · ${rate.toFixed(1)} per second`}
          {remainingMs !== undefined && ` · about ${formatDuration(remainingMs)} left`}
        </p>
        <BatchBar batch={batch} />
        <StartedBatches batch={batch} />
      </section>
      {isHeld(batch.waiting_for) && (
        <Notice tone="warning">
          <strong>The batch is {waitingText(batch.waiting_for)}.</strong> {batch.waiting_for.message} Since{' '}
          {formatTime(batch.waiting_for.since)}.
          {batch.waiting_for.until !== null && ` Until ${formatTime(batch.waiting_for.until)}.`}
        </Notice>
      )}
      {batch.late && (
        <Notice tone="warning">
          <strong>Late.</strong> At the present rate its last request ends {formatTime(batch.late.expected_at)}, after
          the batch expires.
        </Notice>
      )}
      <InputErrors batch={batch} />
      <DescriptionList
        entries={[
          ['ID', <NamedId key="id" id={batch.id} />],
          ['Endpoint', batch.endpoint],
          ['Model', batch.model ?? '–'],
          [
            'Input file',
            <Link key="input" title={batch.input_file_id} to="/files/$id" params={{ id: batch.input_file_id }}>
              {inputFile.data?.filename ?? batch.input_file_id}
            </Link>,
          ],
          ['Created', formatTime(batch.created_at)],
          ['Ended', formatTime(batch.completed_at ?? batch.failed_at ?? batch.cancelled_at ?? batch.expired_at)],
          ['Input tokens', formatNumber(batch.usage?.input_tokens)],
          ['Output tokens', formatNumber(batch.usage?.output_tokens)],
        ]}
      />
      <Results outputFileId={batch.output_file_id} errorFileId={batch.error_file_id} isActive={isBatchActive(batch)} />
    </>
  );
}

type BatchError = NonNullable<NonNullable<Batch['errors']>['data']>[number];

/** The errors with which the server rejected the input, by line. */
function InputErrors({ batch }: { readonly batch: Batch }) {
  const errors = batch.errors?.data ?? [];
  if (errors.length === 0) return null;
  return (
    <Notice tone="bad" title="The input file is invalid. Correct these lines, upload it again, and create a new batch.">
      <DataTable
        label="Errors by line"
        columns={errorColumns}
        rows={errors.slice(0, 200)}
        keyOf={(_, index) => String(index)}
      />
    </Notice>
  );
}

const errorColumns: readonly Column<BatchError>[] = [
  { header: 'Line', width: 80, numeric: true, cell: ({ line }) => line ?? '–' },
  { header: 'Message', width: 240, grows: true, cell: ({ message }) => <span title={message}>{message}</span> },
  { header: 'Parameter', priority: 2, cell: ({ param }) => param ?? '–' },
  { header: 'Code', width: 180, priority: 2, cell: ({ code }) => code ?? '–' },
];
