import type { Batch } from '@modelwire/client';
import { statusText, statusTone } from './progress.ts';

export function StatusBadge({ batch }: { readonly batch: Batch }) {
  return <span className={`badge ${statusTone(batch)}`}>{statusText(batch)}</span>;
}
