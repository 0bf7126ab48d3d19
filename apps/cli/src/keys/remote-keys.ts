import { ApiError, AuthenticationError, InputError, NotFoundError, PermissionError } from '@modelwire/client';
import type { OrganizationClient, ProjectApiKey, ProjectApiKeyWithValue } from '@modelwire/client';
import type { App } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import { limitFields } from '../limits.ts';
import type { Fields } from '../output/printer.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';

type Projects = OrganizationClient['projects'];

const columns: readonly Column<ProjectApiKey>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'key', cell: (key) => key.redacted_value },
  { head: 'project', cell: (key) => key.project_id },
  { head: 'role', cell: ({ role }) => role },
  { head: 'name', shrinks: true, cell: ({ name }) => name },
  { head: 'expires', cell: (key) => timeText(key.expires_at) },
  { head: 'revoked', cell: (key) => timeText(key.revoked_at), color: () => 'red' },
];

/** Lists the keys of the project, or of all projects, newest first, as one table. A project that cannot be read is reported, and the others are listed. */
export async function listKeys(projects: Projects, app: App, project: string | undefined): Promise<void> {
  const { print, signal } = app;
  async function* keysOf(id: string): AsyncGenerator<readonly ProjectApiKey[]> {
    for await (const { data } of projects.apiKeys.list(id, { limit: 100 }, { signal }).pages()) yield data;
  }
  async function* allKeys(): AsyncGenerator<readonly ProjectApiKey[]> {
    for await (const { id } of allProjects(projects, signal)) {
      try {
        yield* keysOf(id);
      } catch (error) {
        if (!concernsOneProject(error)) throw error;
        app.exitCode = EXIT.unsuccessful;
        print.warn(`Cannot list the keys of the project ${JSON.stringify(id)}: ${error.message}`);
      }
    }
  }
  const pages = await Array.fromAsync(project === undefined ? allKeys() : keysOf(project));
  const keys = pages.flat().toSorted((a, b) => b.created_at - a.created_at);
  await print.rows(keys, columns, 'No API keys.');
}

export async function printKey({ print }: App, key: ProjectApiKey | ProjectApiKeyWithValue): Promise<void> {
  const fields: Fields = [
    ['id', key.id],
    ['name', key.name],
    ['project', key.project_id],
    ['role', key.role],
    ...limitFields(key),
    ['expires', timeText(key.expires_at)],
    ['revoked', timeText(key.revoked_at)],
    ['key', 'value' in key ? key.value : undefined],
  ];
  await print.record(key, fields);
}

function allProjects(projects: Projects, signal: AbortSignal) {
  return projects.list({ limit: 100, include_archived: 'true' }, { signal });
}

/** Whether calls for other projects may succeed although this one failed. */
function concernsOneProject(error: unknown): error is ApiError | InputError {
  if (error instanceof AuthenticationError || error instanceof PermissionError) return false;
  return error instanceof ApiError || (error instanceof InputError && error.param === 'project_id');
}

/** The project of a key, which its path contains: looked up unless it is given. */
export async function projectOf(
  projects: Projects,
  { print, signal }: App,
  keyId: string,
  given: string | undefined,
): Promise<{ readonly project_id: string }> {
  if (given !== undefined) return { project_id: given };
  const failures: (ApiError | InputError)[] = [];
  for await (const { id: project_id } of allProjects(projects, signal)) {
    try {
      await projects.apiKeys.retrieve(keyId, { project_id }, { signal });
      return { project_id };
    } catch (error) {
      if (!concernsOneProject(error)) throw error;
      failures.push(error);
      if (!(error instanceof NotFoundError))
        print.warn(`Cannot search the project ${JSON.stringify(project_id)}: ${error.message}`);
    }
  }
  // After a failed call, the key may exist nevertheless: a 404 would be wrong.
  const failedCall = failures.find((error) => error instanceof ApiError && !(error instanceof NotFoundError));
  const notFound = failures.find((error) => error instanceof NotFoundError);
  throw failedCall ?? notFound ?? failures[0] ?? usageError(`No project contains the key "${keyId}".`);
}
