import { textAt } from '../exchange/value.ts';
import type { RunContext } from './run-context.ts';

export interface PreflightProblem {
  readonly note: string;
  /** Whether no check can have a result. */
  readonly fatal: boolean;
}

/** Sends one request before all others; rejects when there is no response. */
export async function preflight(context: RunContext): Promise<PreflightProblem | undefined> {
  const { status, json, sent } = await context.sendOnce('GET /models', () => ({ method: 'GET', path: '/models' }));
  if (status === 401 || status === 403 || status === 429 || status >= 500) {
    const message = textAt(json, 'error', 'message') ?? 'nothing';
    const forKey = status === 401 || status === 403 ? ' for the key of this run' : '';
    return {
      note: `${sent.method} ${sent.path} returned ${status}${forKey}, with: ${message}`,
      fatal: false,
    };
  }
  return undefined;
}
