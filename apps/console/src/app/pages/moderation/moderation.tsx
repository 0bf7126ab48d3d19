import { Button, Textarea } from '@mantine/core';
import type { ModerationMultiModalInput, ModerationResult } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { api } from '../../api/client.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import type { Column } from '../../components/columns.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FileField } from '../../components/file-field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { readDataURL } from '../../components/read-data-url.ts';
import { DataTable } from '../../components/data-table.tsx';
import { categoryRows } from './category-rows.ts';
import type { CategoryRow } from './category-rows.ts';
import { Tag } from '../../components/tag.tsx';

/** Classifies a text and an image, and shows the score of each category. */
export function ModerationPage() {
  const [text, setText] = useState('');
  const [image, setImage] = useState<{ readonly file: File; readonly url: string }>();
  const [problem, setProblem] = useState<string>();
  const moderation = useMutation({
    mutationFn: () => {
      const input: ModerationMultiModalInput[] = [];
      if (text !== '') input.push({ type: 'text', text });
      if (image !== undefined) input.push({ type: 'image_url', image_url: { url: image.url } });
      return api.moderations.create({ input });
    },
  });
  const selectImage = (file: File | undefined): void => {
    setProblem(undefined);
    if (file === undefined) return;
    readDataURL(file).then(
      (url) => setImage({ file, url }),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      <PageHeader title="Moderation" />
      <form
        className="card stack"
        aria-label="Input"
        onSubmit={(event) => {
          event.preventDefault();
          moderation.mutate();
        }}
      >
        <Textarea label="Text" rows={4} value={text} onChange={(event) => setText(event.target.value)} />
        <FileField
          label="Image"
          buttonLabel="Choose an image"
          accept="image/*"
          file={image?.file}
          onFiles={([file]) => selectImage(file)}
          onClear={() => setImage(undefined)}
        >
          {image !== undefined && <img className="attachment" src={image.url} alt={image.file.name} />}
        </FileField>
        <div className="actions">
          <Button
            type="submit"
            variant="filled"
            disabled={moderation.isPending || (text === '' && image === undefined)}
          >
            {moderation.isPending ? 'Classifying…' : 'Classify'}
          </Button>
        </div>
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </form>
      {moderation.error !== null && <ErrorNotice title="The input was not classified." error={moderation.error} />}
      {moderation.data?.results.map((result, index) => (
        <Result key={index} result={result} model={moderation.data.model} />
      ))}
      {moderation.data === undefined && (
        <CodeBlock label="Shell" code={curlCommand(`${apiBaseURL}/moderations`, { input: 'A text to classify' })} />
      )}
    </>
  );
}

const scoreColumns: readonly Column<CategoryRow>[] = [
  { header: 'Category', width: 160, grows: true, isRowHeader: true, cell: ({ category }) => category },
  { header: 'Score', width: 80, numeric: true, sortBy: ({ score }) => score, cell: ({ score }) => score.toFixed(4) },
  { header: 'Threshold', width: 90, numeric: true, priority: 2, cell: ({ threshold }) => threshold?.toFixed(4) ?? '–' },
  { header: 'Bar', width: 190, cell: (row) => <ScoreBar row={row} /> },
  {
    header: 'Flagged',
    width: 110,
    cell: ({ flagged, isJudged }) => (flagged ? <Tag tone="bad">flagged</Tag> : isJudged ? 'no' : 'not judged'),
  },
  { header: 'Applies to', width: 110, priority: 3, cell: ({ inputTypes }) => inputTypes.join(', ') || '–' },
];

function Result({ result, model }: { readonly result: ModerationResult; readonly model: string }) {
  return (
    <section className="card" aria-label="Result">
      <h2>
        Result of {model} <Tag tone={result.flagged ? 'bad' : 'good'}>{result.flagged ? 'flagged' : 'not flagged'}</Tag>
      </h2>
      <DataTable label="Scores" columns={scoreColumns} rows={categoryRows(result)} keyOf={({ category }) => category} />
      <details>
        <summary>Response as JSON</summary>
        <CodeBlock label="JSON" code={JSON.stringify(result, null, 2)} />
      </details>
    </section>
  );
}

function ScoreBar({ row }: { readonly row: CategoryRow }) {
  return (
    <svg className="score" viewBox="0 0 100 8" width="160" height="10" aria-hidden="true" preserveAspectRatio="none">
      <rect className="track" width="100" height="8" />
      <rect className={row.flagged ? 'bar flagged' : 'bar'} width={row.score * 100} height="8" />
      {row.threshold !== undefined && (
        <rect className="threshold" x={Math.min(99, row.threshold * 100)} width="1" height="8" />
      )}
    </svg>
  );
}
