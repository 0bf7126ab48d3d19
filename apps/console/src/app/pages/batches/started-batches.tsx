import type { Batch } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { batchesQuery, isStartedBy } from '../../api/batches.ts';
import { formatNumber } from '../../components/format.ts';
import { RowLink } from '../../components/row-link.tsx';
import { BatchBar } from './batch-bar.tsx';
import { progressOf } from './progress.ts';

/** The progress of the batches that a batch has started, such as that of the judge of a comparison. */
export function StartedBatches({ batch }: { readonly batch: Batch }) {
  const batches = useInfiniteQuery(batchesQuery).data?.pages.flatMap((page) => page.data) ?? [];
  return batches.filter(isStartedBy(batch.id)).map((started) => {
    const { done, total } = progressOf(started, Date.now());
    return (
      <div key={started.id} className="attention-row">
        <RowLink list="batches" id={started.id}>
          {started.metadata?.['name'] ?? started.id}
        </RowLink>
        <span className="note">
          {formatNumber(done)} of {formatNumber(total)} requests
        </span>
        <BatchBar batch={started} />
      </div>
    );
  });
}
