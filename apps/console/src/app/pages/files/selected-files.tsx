import type { FileObject } from '@modelwire/client';
import { NotFoundError } from '@modelwire/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatBytes } from '../../components/format.ts';
import { Selection } from '../../components/selection.tsx';

interface Props {
  readonly files: readonly FileObject[];
  readonly onClear: () => void;
}

/** Deletes the selected files. */
export function SelectedFiles({ files, onClear }: Props) {
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: deleteFiles,
    onSettled: () => queryClient.resetQueries({ queryKey: ['files'] }),
  });
  const failures = deletion.data ?? [];
  if (files.length === 0) return null;
  const size = formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0));
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return (
    <Selection text={`${count} selected, ${size}`} isBusy={deletion.isPending} onClear={onClear}>
      <ConfirmButton
        label={deletion.isPending ? 'Deleting…' : 'Delete selected'}
        title={`Delete ${count} (${size})?`}
        text="The files cannot be restored. Batches and conversations that use them fail afterwards."
        confirmLabel={`Delete ${count}`}
        disabled={deletion.isPending}
        onConfirm={() => deletion.mutate(files)}
      />
      {failures[0] !== undefined && (
        <ErrorNotice title={`${failures.length} of the files were not deleted.`} error={failures[0]} />
      )}
    </Selection>
  );
}

/** Deletes the files that still exist. Returns the errors of those that were not deleted. */
async function deleteFiles(files: readonly FileObject[]): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  for (const { id } of files) {
    await api.files.delete(id).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) errors.push(error);
    });
  }
  return errors;
}
