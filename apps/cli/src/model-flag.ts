import type { Flag } from './command.ts';

/** The option `--model` with one value. */
export function modelFlag(description: string) {
  return { type: 'string', short: 'm', value: 'id', completes: 'model', description } as const satisfies Flag;
}
