import type { DailyKey } from '@modelwire/ports';
import type { Slots } from './statement.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

export const dailyColumns = ['day', 'project', 'key_id', 'model'] as const;

export const dailyValues = (slot: Slots<DailyKey>) => ({
  day: slot('day'),
  project: slot(({ project }) => toStored(project)),
  key_id: slot(({ keyId }) => toStored(keyId)),
  model: slot(({ model }) => toStored(model)),
});

interface DailyRow {
  readonly day: number;
  readonly project: StoredText;
  readonly key_id: StoredText;
  readonly model: StoredText;
}

export const dailyKeyOf = ({ day, project, key_id, model }: DailyRow): DailyKey => ({
  day,
  project: fromStored(project),
  keyId: fromStored(key_id),
  model: fromStored(model),
});

/** Rows are written in this order everywhere: replicas that lock the same rows in different orders would deadlock. */
export function inDailyOrder(a: DailyKey, b: DailyKey): number {
  return a.day - b.day || compare(a.project, b.project) || compare(a.keyId, b.keyId) || compare(a.model, b.model);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
