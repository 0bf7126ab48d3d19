import { Button } from '@mantine/core';
import type { FileObject } from '@modelwire/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { fileContentURL, fileQuery, fileTextQuery } from '../../api/files.ts';
import { isPermitted } from '../../api/permissions.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { formatBytes, formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { useSession } from '../../shell/session-context.ts';

const previewBytes = 16_384;

/** One file: metadata, preview, download and deletion. */
export const FilePage: React.FunctionComponent = createDetailPage('files', fileQuery, Detail);

function Detail({ entry: file }: DetailProps<FileObject>) {
  const session = useSession();
  const deletion = useDeletion('files', fileQuery(file.id).queryKey, () => api.files.delete(file.id));
  return (
    <>
      <PageHeader title={file.filename}>
        <Button component="a" href={fileContentURL(file.id)} download={file.filename}>
          Download
        </Button>
        {isPermitted(session, 'write') && file.purpose === 'batch' && (
          <Button
            variant="filled"
            renderRoot={(props) => <Link {...props} to="/batches" search={{ input: file.id }} />}
          >
            Create batch
          </Button>
        )}
        {isPermitted(session, 'write') && (
          <DeleteButton
            kind="file"
            name={file.filename}
            text="Batches and conversations that use the file fail afterwards. It cannot be restored."
            deletion={deletion}
          />
        )}
      </PageHeader>
      {deletion.error !== null && <ErrorNotice title="The file was not deleted." error={deletion.error} />}
      <DescriptionList
        entries={[
          ['ID', <NamedId key="id" id={file.id} />],
          ['Purpose', file.purpose],
          ['Size', formatBytes(file.bytes)],
          ['Created', formatTime(file.created_at)],
          ['Expires', file.expires_at ? formatTime(file.expires_at) : 'never'],
        ]}
      />
      <section className="card" aria-label="Preview">
        <h2>Preview</h2>
        <Preview file={file} />
      </section>
    </>
  );
}

function Preview({ file }: { readonly file: FileObject }) {
  if (file.bytes === 0) return <p className="note">The file is empty.</p>;
  if (/\.(png|jpe?g|gif|webp)$/i.test(file.filename)) {
    return <img className="preview" src={fileContentURL(file.id)} alt={file.filename} />;
  }
  return <TextPreview file={file} />;
}

function TextPreview({ file }: { readonly file: FileObject }) {
  const { data, error, isPending } = useQuery(fileTextQuery(file.id, Math.min(file.bytes, previewBytes)));
  if (isPending) return <p className="loading">Loading…</p>;
  if (error !== null) return <ErrorNotice title="The preview could not be loaded." error={error} />;
  if (data.includes('\0')) return <p className="note">Binary data has no preview. Download the file instead.</p>;
  return (
    <>
      {file.bytes > previewBytes && (
        <p className="note">
          The first {formatBytes(previewBytes)} of {formatBytes(file.bytes)}.
        </p>
      )}
      <CodeBlock label={file.filename.endsWith('.jsonl') ? 'JSON Lines' : 'Text'} code={data} />
    </>
  );
}
