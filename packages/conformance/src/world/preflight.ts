import { textAt } from '../exchange/value.ts';
import type { World } from './world.ts';

export interface PreflightProblem {
  readonly note: string;
  /** Whether no check can have a result. */
  readonly fatal: boolean;
}

/** Sends one request before all others; rejects when there is no response. */
export async function preflight(world: World): Promise<PreflightProblem | undefined> {
  const { status, json, sent } = await world.sendOnce('GET /models', () => ({ method: 'GET', path: '/models' }));
  if (status === 401 || status === 403) {
    const message = textAt(json, 'error', 'message') ?? 'nothing';
    return {
      note: `${sent.method} ${sent.path} returned ${status} for the key of this run, with: ${message}`,
      fatal: false,
    };
  }
  return undefined;
}
