import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { fileContentURL, fileQuery, fileTextQuery } from '../../api/files.ts';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/columns.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatBytes } from '../../components/format.ts';
import { parseResultLines } from './result-lines.ts';
import type { ResultLine } from './result-lines.ts';
import { Tag } from '../../components/tag.tsx';

/** The table shows only the beginning of larger result files. */
const previewBytes = 1_000_000;

interface Props {
  readonly outputFileId: string | null | undefined;
  readonly errorFileId: string | null | undefined;
  readonly isActive: boolean;
}

/** The results as a table, failed requests first, and the files to download. */
export function Results({ outputFileId, errorFileId, isActive }: Props) {
  if (!outputFileId && !errorFileId) {
    return isActive ? <p className="note">Results appear when the batch has ended.</p> : null;
  }
  return (
    <section className="sections" aria-label="Results">
      {errorFileId && <ResultFile title="Failed requests" id={errorFileId} />}
      {outputFileId && <ResultFile title="Completed requests" id={outputFileId} />}
    </section>
  );
}

const columns: readonly Column<ResultLine>[] = [
  { header: 'Custom ID', width: 150, sortBy: ({ customId }) => customId, cell: ({ customId }) => customId },
  {
    header: 'Status',
    width: 90,
    sortBy: ({ status }) => status,
    cell: ({ status, failed }) => <Tag tone={failed ? 'bad' : 'good'}>{status ?? 'not run'}</Tag>,
  },
  { header: 'Reply or error', width: 300, grows: true, cell: ({ text }) => <bdi title={text}>{text}</bdi> },
];

function ResultFile({ title, id }: { readonly title: string; readonly id: string }) {
  const file = useQuery(fileQuery(id));
  const bytes = file.data?.bytes ?? 0;
  const isTruncated = bytes > previewBytes;
  const { data, error } = useQuery({
    ...fileTextQuery(id, Math.min(bytes, previewBytes)),
    enabled: bytes > 0,
    select: (text: string) => parseResultLines(text, isTruncated),
  });
  const failure = file.error ?? error;
  return (
    <section className="card" aria-label={title}>
      <div className="section-header">
        <h2>{title}</h2>
        <Button component="a" href={fileContentURL(id)} download={file.data?.filename ?? `${id}.jsonl`}>
          Download {formatBytes(bytes)}
        </Button>
      </div>
      {failure !== null && <ErrorNotice title="The results could not be loaded." error={failure} />}
      {isTruncated && (
        <p className="note">The table shows the first {formatBytes(previewBytes)}. Download the file for all.</p>
      )}
      {data !== undefined && (
        <DataTable label={title} columns={columns} rows={data} keyOf={({ customId }) => customId} />
      )}
    </section>
  );
}
