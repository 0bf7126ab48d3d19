import type { Batch } from '@modelwire/client';
import { statusText, statusTone } from './progress.ts';
import { Tag } from '../../components/tag.tsx';

export function StatusBadge({ batch }: { readonly batch: Batch }) {
  return <Tag tone={statusTone(batch)}>{statusText(batch)}</Tag>;
}
