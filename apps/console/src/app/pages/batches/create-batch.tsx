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
  const files = useInfiniteQuery(filesQuery({ purpose: 'batch', order: 'desc' }));
  const known = files.data?.pages.flatMap((page) => page.data) ?? [];
  const [fileId, setFileId] = useState(initialFileId);
  const [endpoint, setEndpoint] = useState<BatchEndpoint>('/v1/chat/completions');
  const chosen = fileId === '' ? (known[0]?.id ?? '') : fileId;
  const creation = useMutation({
    mutationFn: () => api.batches.create({ input_file_id: chosen, endpoint, completion_window: '24h' }),
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
          <select value={chosen} onChange={(event) => setFileId(event.target.value)}>
            {known.length === 0 && chosen === '' && <option value="">No files with the purpose batch</option>}
            {chosen !== '' && !known.some(({ id }) => id === chosen) && <option>{chosen}</option>}
            {known.map(({ id, filename, bytes }) => (
              <option key={id} value={id}>
                {filename} ({formatBytes(bytes)})
              </option>
            ))}
          </select>
        </label>
        <SelectField label="Endpoint" options={endpoints} value={endpoint} onChange={setEndpoint} />
        <button type="submit" className="primary" disabled={chosen === '' || creation.isPending}>
          Create batch
        </button>
      </div>
    </FormCard>
  );
}
