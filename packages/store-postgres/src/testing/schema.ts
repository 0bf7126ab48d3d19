import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

export const url = inject('postgresUrl');

/** A schema that no other test uses. */
export function freshSchema(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}
