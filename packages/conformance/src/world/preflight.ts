import { textAt } from '../exchange/value.ts';
import type { World } from './world.ts';

export interface Trouble {
  readonly note: string;
  /** Whether nothing can be decided. */
  readonly fatal: boolean;
}

/** One request before all others; rejects when nothing answers. */
export async function preflight(world: World): Promise<Trouble | undefined> {
  const { status, json, sent } = await world.asked('GET /models', () => ({ method: 'GET', path: '/models' }));
  if (status === 401 || status === 403) {
    const message = textAt(json, 'error', 'message') ?? 'nothing';
    return {
      note: `${sent.method} ${sent.path} answered ${status} to the key of this run, and said: ${message}`,
      fatal: false,
    };
  }
  return undefined;
}
