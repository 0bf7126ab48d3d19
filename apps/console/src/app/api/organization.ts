import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** A project. Times are Unix seconds. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly created_at: number;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
}

/** An API key, without its secret. */
export interface ProjectApiKey {
  readonly id: string;
  readonly name: string;
  readonly redacted_value: string;
  readonly role: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
}

/** A key that was just created or rotated; its secret is returned once. */
export interface ProjectApiKeyWithValue extends ProjectApiKey {
  readonly value: string;
}

export interface KeyInit {
  readonly name: string;
  readonly role: string;
  readonly expires_at: number | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
}

interface List<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly last_id?: string | null;
}

const projects = '/organization/projects';
const keys = `${projects}/{project_id}/api_keys`;

export const projectsQuery = infiniteQueryOptions({
  queryKey: ['projects'],
  initialPageParam: undefined,
  queryFn: ({ pageParam: after, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
    api.transport.request<List<Project>>({ method: 'GET', path: projects }, { signal, query: { limit: 100, after } }),
  getNextPageParam: (page): string | undefined => (page.has_more ? (page.last_id ?? undefined) : undefined),
});

export function keysQuery(project_id: string) {
  return infiniteQueryOptions({
    queryKey: ['keys', project_id],
    initialPageParam: undefined,
    queryFn: ({ pageParam: after, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      api.transport.request<List<ProjectApiKey>>(
        { method: 'GET', path: keys },
        { signal, params: { project_id }, query: { limit: 50, after } },
      ),
    getNextPageParam: (page): string | undefined => (page.has_more ? (page.last_id ?? undefined) : undefined),
  });
}

export function createProject(name: string): Promise<Project> {
  return api.transport.request<Project>({ method: 'POST', path: projects }, { body: { name } });
}

export function createKey(project_id: string, init: KeyInit): Promise<ProjectApiKeyWithValue> {
  return api.transport.request<ProjectApiKeyWithValue>(
    { method: 'POST', path: keys },
    { params: { project_id }, body: init },
  );
}

export function rotateKey(project_id: string, api_key_id: string): Promise<ProjectApiKeyWithValue> {
  return api.transport.request<ProjectApiKeyWithValue>(
    { method: 'POST', path: `${keys}/{api_key_id}/rotate` },
    { params: { project_id, api_key_id }, body: {} },
  );
}

export function revokeKey(project_id: string, api_key_id: string): Promise<unknown> {
  return api.transport.request(
    { method: 'DELETE', path: `${keys}/{api_key_id}` },
    { params: { project_id, api_key_id } },
  );
}
