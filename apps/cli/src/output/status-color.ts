import type { StyleName } from './style.ts';

const colors: Readonly<Record<string, StyleName>> = {
  completed: 'green',
  succeeded: 'green',
  available: 'green',
  active: 'green',
  failed: 'red',
  expired: 'red',
  unreachable: 'red',
  failing: 'red',
  authentication_failed: 'red',
  in_progress: 'yellow',
  finalizing: 'yellow',
  cancelling: 'yellow',
  cancelled: 'dim',
  archived: 'dim',
};

/** The color of a status, such as that of a batch or an upstream. */
export const statusColor = ({ status }: { readonly status: string }): StyleName | undefined => colors[status];
