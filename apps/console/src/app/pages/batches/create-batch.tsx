import type { BatchEndpoint } from '@modelwire/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { filesQuery } from '../../api/files.ts';
import { FormCard } from '../../components/form-card.tsx';
import { formatBytes } from '../../components/format.ts';
import { SelectField } from '../../components/select-field.tsx';

const endpoints: readonly BatchEndpoint[] = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
];

/** Creates a batch from an uploaded file. */
export function CreateBatch({ initialFileId }: { readonly initialFileId: string }) {
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
  return (
    <FormCard title="New batch" submission={creation} errorTitle="The batch was not created.">
      <div className="filters">
        <label className="field">
          Input file
          <select value={selectedFileId} onChange={(event) => setFileId(event.target.value)}>
            {files.length === 0 && selectedFileId === '' && <option value="">No files with the purpose batch</option>}
            {selectedFileId !== '' && !files.some(({ id }) => id === selectedFileId) && (
              <option>{selectedFileId}</option>
            )}
            {files.map(({ id, filename, bytes }) => (
              <option key={id} value={id}>
                {filename} ({formatBytes(bytes)})
              </option>
            ))}
          </select>
        </label>
        <SelectField label="Endpoint" options={endpoints} value={endpoint} onChange={setEndpoint} />
        <button type="submit" className="primary" disabled={selectedFileId === '' || creation.isPending}>
          Create batch
        </button>
      </div>
    </FormCard>
  );
}
