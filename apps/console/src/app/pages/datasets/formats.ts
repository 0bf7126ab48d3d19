import type { Dataset } from '@modelwire/client';

/** What a line of a dataset is. */
export const formats = [
  { value: 'evaluation', label: 'Evaluation: requests with their replies' },
  { value: 'fine_tuning', label: 'Fine-tuning: conversations' },
  { value: 'batch', label: 'Batch: requests to run again' },
] as const;

/** The name of a format, such as `Fine-tuning`. */
export function formatLabel(format: Dataset['format']): string {
  return formats.find(({ value }) => value === format)?.label.split(':')[0] ?? format;
}
