import { Progress } from '@mantine/core';
import type { Batch } from '@modelwire/client';

/** The requests of a batch that have succeeded and those that have failed, as parts of all. */
export function BatchBar({ batch }: { readonly batch: Batch }) {
  const { total = 0, completed = 0, failed = 0 } = batch.request_counts ?? {};
  const percent = (count: number): number => (total === 0 ? 0 : (100 * count) / total);
  return (
    <Progress.Root className="meter">
      <Progress.Section value={percent(completed)} aria-label="Requests completed" />
      <Progress.Section className="failed" value={percent(failed)} aria-label="Requests failed" />
    </Progress.Root>
  );
}
