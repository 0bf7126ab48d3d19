import { Button } from '@mantine/core';
import type { FileObject } from '@modelwire/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatBytes } from '../../components/format.ts';

interface Props {
  readonly files: readonly FileObject[];
  readonly onClear: () => void;
}

/** Deletes the selected files. */
export function SelectedFiles({ files, onClear }: Props) {
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: async () => {
      for (const { id } of files) await api.files.delete(id);
    },
    onSuccess: onClear,
    onSettled: () => queryClient.resetQueries({ queryKey: ['files'] }),
  });
  if (files.length === 0 && deletion.error === null) return null;
  const size = formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0));
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return (
    <section aria-label="Selection">
      <div className="selection">
        <span role="status">
          {count} selected, {size}
        </span>
        <ConfirmButton
          label={deletion.isPending ? 'Deleting…' : 'Delete selected'}
          title={`Delete ${count} (${size})?`}
          text="Batches and conversations that use the files fail afterwards. They cannot be restored."
          confirmLabel={`Delete ${count}`}
          disabled={deletion.isPending || files.length === 0}
          onConfirm={() => deletion.mutate()}
        />
        <Button disabled={deletion.isPending} onClick={onClear}>
          Clear selection
        </Button>
      </div>
      {deletion.error !== null && <ErrorNotice title="Not all files were deleted." error={deletion.error} />}
    </section>
  );
}
