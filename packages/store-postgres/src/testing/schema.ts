import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

export const url = inject('postgresUrl');

/** A unique schema for one test. */
export function freshSchema(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}
