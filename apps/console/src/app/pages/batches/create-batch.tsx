import type { BatchEndpoint } from '@modelwire/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { filesQuery } from '../../api/files.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { formatBytes } from '../../components/format.ts';
import { SelectField } from '../../components/select-field.tsx';
import { endpoints } from './endpoints.ts';

interface Props {
  readonly initialFileId: string;
  readonly onClose: () => void;
}

/** Creates a batch from an uploaded file. */
export function CreateBatch({ initialFileId, onClose }: Props) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(filesQuery({ purpose: 'batch', order: 'desc' }));
  const files = query.data?.pages.flatMap((page) => page.data) ?? [];
  const [fileId, setFileId] = useState(initialFileId);
  const [endpoint, setEndpoint] = useState<BatchEndpoint>('/v1/chat/completions');
  const selectedFileId = fileId === '' ? (files[0]?.id ?? '') : fileId;
  const creation = useMutation({
    mutationFn: () => api.batches.create({ input_file_id: selectedFileId, endpoint, completion_window: '24h' }),
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['batches'] });
      await navigate({ to: '/batches/$id', params: { id } });
    },
  });
  const listed = files.map(({ id, filename, bytes }) => ({ value: id, label: `${filename} (${formatBytes(bytes)})` }));
  const isListed = files.some(({ id }) => id === selectedFileId);
  const selected = { value: selectedFileId, label: selectedFileId || 'No files with the purpose batch' };
  return (
    <FormDialog
      title="New batch"
      submitLabel="Create batch"
      submission={creation}
      errorTitle="The batch was not created."
      isComplete={selectedFileId !== ''}
      onClose={onClose}
    >
      <SelectField
        label="Input file"
        options={isListed ? listed : [selected, ...listed]}
        value={selectedFileId}
        onChange={setFileId}
      />
      <SelectField label="Endpoint" options={endpoints} value={endpoint} onChange={setEndpoint} />
    </FormDialog>
  );
}
