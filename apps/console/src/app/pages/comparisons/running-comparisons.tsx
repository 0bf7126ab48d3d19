import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { batchesQuery, isBatchActive } from '../../api/batches.ts';
import { comparisonsQuery } from '../../api/datasets.ts';
import { RowLink } from '../../components/row-link.tsx';
import { StartedBatches } from '../batches/started-batches.tsx';
import { StatusBadge } from '../batches/status-badge.tsx';

/** The comparisons that the server makes at present. The page of the batch of each cancels it. */
export function RunningComparisons() {
  const queryClient = useQueryClient();
  const batches = useInfiniteQuery(batchesQuery).data?.pages.flatMap((page) => page.data) ?? [];
  const running = batches.filter((batch) => batch.endpoint === '/v1/datasets/compare' && isBatchActive(batch));
  const count = running.length;
  // One that has ended is in the list.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: comparisonsQuery.queryKey }), [count, queryClient]);
  if (count === 0) return null;
  return (
    <section className="card" aria-label="Running comparisons">
      <h2>Running now</h2>
      {running.map((batch) => (
        <div key={batch.id}>
          <div className="attention-row">
            <RowLink list="batches" id={batch.id}>
              {batch.metadata?.['name'] ?? batch.id}
            </RowLink>
            <StatusBadge batch={batch} />
          </div>
          <StartedBatches batch={batch} />
        </div>
      ))}
    </section>
  );
}
