import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { CompletionRow } from '../../api/completions.ts';
import { isPermitted } from '../../api/permissions.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatNumber } from '../../components/format.ts';
import { Selection } from '../../components/selection.tsx';
import { downloadText } from '../../components/download-text.ts';
import { useSession } from '../../shell/session-context.ts';
import { AddToDataset } from './add-to-dataset.tsx';
import { buildBatchLines, maxSelectedCompletions } from './batch-lines.ts';

interface Props {
  readonly rows: readonly CompletionRow[];
  readonly onClear: () => void;
}

/** Actions for the selected completions: export their requests as JSON Lines, or run them again as a batch. */
export function SelectionBar({ rows, onClear }: Props) {
  const ids = rows.map(({ id }) => id);
  const session = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [readCount, setReadCount] = useState(0);
  const exporting = useMutation({
    mutationFn: () => buildBatchLines(ids, setReadCount),
    onSuccess: (text) => downloadText('completions.jsonl', 'application/jsonl', text),
  });
  const creation = useMutation({
    mutationFn: async () => {
      const file = new File([await buildBatchLines(ids, setReadCount)], 'completions.jsonl', {
        type: 'application/jsonl',
      });
      const { id } = await api.files.create({ file, purpose: 'batch' });
      return api.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' });
    },
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['batches'] });
      await queryClient.invalidateQueries({ queryKey: ['files'] });
      await navigate({ to: '/batches/$id', params: { id } });
    },
  });
  const isBusy = exporting.isPending || creation.isPending;
  const isTooMany = ids.length > maxSelectedCompletions;
  const start = (action: { mutate(): void }): void => {
    setReadCount(0);
    action.mutate();
  };
  return (
    <Selection
      text={
        isBusy
          ? `Reading ${formatNumber(readCount)} of ${formatNumber(ids.length)}…`
          : `${formatNumber(ids.length)} selected`
      }
      isBusy={isBusy}
      onClear={onClear}
    >
      <Button disabled={isBusy || isTooMany} onClick={() => start(exporting)}>
        Export JSONL
      </Button>
      {isPermitted(session, 'write') && (
        <>
          <Button disabled={isBusy || isTooMany} onClick={() => start(creation)}>
            Create batch
          </Button>
          {!isTooMany && <AddToDataset completions={rows} />}
        </>
      )}
      {isTooMany && (
        <p className="problem" role="alert">
          Select at most {formatNumber(maxSelectedCompletions)} completions.
        </p>
      )}
      {exporting.error !== null && <ErrorNotice title="The completions were not exported." error={exporting.error} />}
      {creation.error !== null && <ErrorNotice title="The batch was not created." error={creation.error} />}
    </Selection>
  );
}
