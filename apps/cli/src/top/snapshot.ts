import { ApiError } from '@modelwire/client';
import type { Batch } from '@modelwire/client';
import type { ActivityReport, ServerStatus } from '@modelwire/server/internal';
import type { App } from '../app.ts';
import { CliError } from '../cli-error.ts';
import { openTransport } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';

/** What a server does at a time. */
export interface Snapshot extends Pick<ServerStatus, 'version' | 'in_flight' | 'engines' | 'upstreams'> {
  /** Unix seconds. */
  readonly at: number;
  /** Of the process that answered. */
  readonly activity: readonly ActivityOfPeriod[];
  /** Batches of the key's project that have not ended, newest first. */
  readonly batches: readonly Batch[];
}

export interface ActivityOfPeriod extends Omit<ActivityReport['total'], 'cost'> {
  readonly period: 'this minute' | 'last minute' | 'last hour';
}

const endedStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** Returns a function that reads a snapshot. The console's API is next to the versioned one. */
export async function createSnapshotReader(app: App): Promise<() => Promise<Snapshot>> {
  const { options, print, signal } = app;
  const settings = await app.settings();
  const root = settings.baseURL.value.replace(/\/v\d+\/*$/, '');
  const transport = openTransport({ ...settings, baseURL: { ...settings.baseURL, value: root } }, options, print);
  const { batches } = await app.client();
  const get = <T>(path: string, query?: Readonly<Record<string, string>>): Promise<T> =>
    transport.request<T>({ method: 'GET', path: `/console/api${path}` }, { signal, query });

  return async () => {
    const [status, activity, batchList] = await Promise.all([
      get<ServerStatus>('/status'),
      get<ActivityReport>('/activity', { hours: '1' }),
      batches.list({ limit: 100 }, { signal }),
    ]).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 404 ? notModelwire(root) : error;
    });
    const { version, in_flight, engines, upstreams } = status;
    return {
      at: Math.floor(Date.now() / 1000),
      version,
      in_flight,
      engines,
      upstreams,
      activity: periodsOf(activity),
      batches: batchList.data.filter((batch) => !endedStatuses.has(batch.status)),
    };
  };
}

function periodsOf({ steps, total }: ActivityReport): readonly ActivityOfPeriod[] {
  const periods = [
    ['this minute', steps.at(-1)],
    ['last minute', steps.at(-2)],
    ['last hour', total],
  ] as const;
  return periods.flatMap(([period, counts]) => (counts === undefined ? [] : [{ ...counts, period }]));
}

const notModelwire = (url: string): CliError =>
  new CliError(
    EXIT.notFound,
    `${url} has no API of the console.`,
    'It is not a Modelwire server, or its setting console is false.',
  );
