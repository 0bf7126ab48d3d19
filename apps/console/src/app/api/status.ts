import type { ModelCapabilities } from '@modelwire/client';
import { queryOptions } from '@tanstack/react-query';
import { api, consoleApi } from './client.ts';

export interface ModelStatus {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly owned_by: string;
  /** Name of the engine that serves it. */
  readonly engine: string;
  readonly aliases: readonly string[];
  /** Capabilities of a chat model; null for other models. */
  readonly capabilities: ModelCapabilities | null;
}

export interface UpstreamStatus {
  readonly name: string;
  readonly url: string;
  readonly status: string;
  readonly latency_ms: number | null;
  readonly last_error: { readonly message: string; readonly at: number } | null;
  readonly circuits: readonly {
    readonly model: string;
    readonly state: 'closed' | 'open' | 'half-open';
    readonly retry_after_ms: number;
    readonly last_failure: string | null;
  }[];
}

export interface EngineStatus {
  readonly name: string;
  readonly active: number;
  readonly waiting: number;
  readonly concurrency: number;
}

export interface StorageStatus {
  readonly name: string;
  readonly kind: string;
  /** Description of the problem; null if the storage is writable. */
  readonly problem: string | null;
  readonly bytes: number | null;
}

/** The state of the server, for administrators. */
export interface ServerStatus {
  readonly version: string;
  /** Number of requests that have not ended. */
  readonly in_flight: number;
  readonly models: readonly ModelStatus[];
  readonly engines: readonly EngineStatus[];
  readonly upstreams: readonly UpstreamStatus[];
  readonly storage: readonly StorageStatus[];
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => consoleApi.request<ServerStatus>({ method: 'GET', path: '/status' }, { signal }),
  refetchInterval: 5_000,
});

/** The capabilities of a chat model. The server returns a 404 for models of other kinds. */
export function capabilitiesQuery(model: string) {
  return queryOptions({
    queryKey: ['capabilities', model],
    queryFn: ({ signal }) => api.models.capabilities(model, { signal }),
    staleTime: 60_000,
  });
}
