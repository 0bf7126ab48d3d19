import { ApiError, AuthenticationError, InputError, NotFoundError, PermissionError, paginate } from '@modelwire/core';
import type { Transport } from '@modelwire/core';
import {
  createProjectApiKey,
  deleteProjectApiKey,
  listProjectApiKeys,
  listProjects,
  retrieveProjectApiKey,
  rotateProjectApiKey,
  updateProject,
  updateProjectApiKey,
} from '@modelwire/schema/routes';
import type {
  Project,
  ProjectApiKey,
  ProjectApiKeyDeleted,
  ProjectApiKeyList,
  ProjectApiKeyWithValue,
  ProjectList,
} from '@modelwire/schema/types';
import { usageError } from '../cli-error.ts';
import type { Values } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { readSettings } from '../config/settings.ts';
import { secondsOf } from '../duration.ts';
import { limitFields, limitsOf, parsedOrNone } from '../limits.ts';
import type { limitFlags } from '../limits.ts';
import type { Fields } from '../output/printer.ts';
import { rateFields } from '../output/shapes.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { changesOf } from '../resource-commands.ts';
import type { KeysContext, rateFlags } from './flags.ts';

/** Connects to the configured server; undefined when the command is for the server in this folder. */
export async function remoteServer({ flags, terminal, print, transport }: KeysContext): Promise<Transport | undefined> {
  const { baseURL } = await readSettings(terminal, { ...flags, 'key-file': undefined });
  if (flags.local && flags['base-url'] !== undefined)
    throw usageError('--local and --base-url cannot be combined.', 'Specify the server with one of them.');
  if (baseURL.isDefault || flags.local) return undefined;
  if (flags.config !== undefined) {
    throw usageError(
      `--config is for the server on this machine, but the base URL ${baseURL.value} is set (${baseURL.source}).`,
      'To manage the server on this machine, add --local.',
    );
  }
  print.note(`Server: ${baseURL.value}`);
  return transport();
}

interface KeyOptions extends Values<typeof limitFlags> {
  readonly role: string | undefined;
  readonly name: string | undefined;
  readonly expires: string | undefined;
}

function lifetimeOf(text: string): number {
  const seconds = secondsOf('--expires', text);
  if (seconds === 0) throw usageError('--expires: expected a duration of at least 1m.', 'To end a key now, revoke it.');
  return seconds;
}

/** The fields of a key that the options set. */
function keyFieldsOf(flags: KeyOptions) {
  const { role, name } = flags;
  const expiresAt = parsedOrNone(flags.expires, (text) => Math.floor(Date.now() / 1000) + lifetimeOf(text));
  return {
    ...(role !== undefined && { role }),
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...limitsOf(flags),
  };
}

/** The changes of a key. @throws a usage error if there are none. */
export const keyChangesOf = (flags: KeyOptions) => changesOf(keyFieldsOf(flags));

type Rates = Values<typeof rateFlags>;

export async function createKey(
  server: Transport,
  { print, signal }: KeysContext,
  flags: KeyOptions & { readonly project: string | undefined },
): Promise<undefined> {
  const options = { params: { project_id: flags.project ?? 'default' }, body: keyFieldsOf(flags), signal };
  const key = await server.request<ProjectApiKeyWithValue>(createProjectApiKey, options);
  await print.record(key, describeKey(key));
}

/** Lists the keys of the project, or of all projects. A project that cannot be read is reported, and the others are listed. */
export async function listKeys(
  server: Transport,
  { print, signal }: KeysContext,
  project: string | undefined,
): Promise<ExitCode> {
  const unreadable: string[] = [];
  async function* keysOf(id: string): AsyncGenerator<readonly ProjectApiKey[]> {
    const keys = paginate((after) =>
      server.request<ProjectApiKeyList>(listProjectApiKeys, {
        params: { project_id: id },
        query: { limit: 100, after },
        signal,
      }),
    );
    for await (const { data } of keys.pages()) yield data;
  }
  async function* pages(): AsyncGenerator<readonly ProjectApiKey[]> {
    for await (const id of projectIds(server, signal)) {
      try {
        yield* keysOf(id);
      } catch (error) {
        if (!concernsOneProject(error)) throw error;
        unreadable.push(id);
        print.warn(`Cannot list the keys of the project ${JSON.stringify(id)}: ${error.message}`);
      }
    }
  }
  await print.rows(project === undefined ? pages() : keysOf(project), columns, 'No API keys.');
  return unreadable.length === 0 ? EXIT.ok : EXIT.unsuccessful;
}

export async function updateKey(
  server: Transport,
  context: KeysContext,
  {
    id,
    project,
    changes,
  }: { readonly id: string; readonly project: string | undefined; readonly changes: ReturnType<typeof keyChangesOf> },
): Promise<undefined> {
  const { print, signal } = context;
  const params = await paramsOf(server, id, project, context);
  const key = await server.request<ProjectApiKey>(updateProjectApiKey, { params, body: changes, signal });
  await print.record(key, describeKey(key));
}

export async function rotateKey(
  server: Transport,
  context: KeysContext,
  id: string,
  { project, grace }: { readonly project: string | undefined; readonly grace: string | undefined },
): Promise<undefined> {
  const body = grace === undefined ? {} : { grace_seconds: secondsOf('--grace', grace) };
  const { print, signal } = context;
  const params = await paramsOf(server, id, project, context);
  const key = await server.request<ProjectApiKeyWithValue>(rotateProjectApiKey, { params, body, signal });
  await print.record(key, describeKey(key));
}

export async function revokeKey(
  server: Transport,
  context: KeysContext,
  id: string,
  project: string | undefined,
): Promise<undefined> {
  const { print, signal } = context;
  const params = await paramsOf(server, id, project, context);
  await server.request<ProjectApiKeyDeleted>(deleteProjectApiKey, { params, signal });
  const key = await server.request<ProjectApiKey>(retrieveProjectApiKey, { params, signal });
  await print.record(key, describeKey(key));
}

export async function limitProject(
  server: Transport,
  { print, signal }: KeysContext,
  project_id: string,
  rates: Rates,
): Promise<undefined> {
  const body = {
    requests_per_minute: null,
    tokens_per_minute: null,
    ...limitsOf({ 'max-output-tokens': undefined, 'allow-model': [], ...rates }),
  };
  const project = await server.request<Project>(updateProject, { params: { project_id }, body, signal });
  await print.record(project, [['id', project.id], ...rateFields(project)]);
}

const columns: readonly Column<ProjectApiKey>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'key', cell: (key) => key.redacted_value },
  { head: 'project', cell: (key) => key.project_id },
  { head: 'role', cell: ({ role }) => role },
  { head: 'name', shrinks: true, cell: ({ name }) => name },
  { head: 'expires', cell: (key) => timeText(key.expires_at) },
  { head: 'revoked', cell: (key) => timeText(key.revoked_at) },
];

function describeKey(key: ProjectApiKey | ProjectApiKeyWithValue): Fields {
  return [
    ['id', key.id],
    ['name', key.name],
    ['project', key.project_id],
    ['role', key.role],
    ...limitFields(key),
    ['expires', timeText(key.expires_at)],
    ['revoked', timeText(key.revoked_at)],
    ...('value' in key ? [['key', key.value] as const] : []),
  ];
}

async function* projectIds(server: Transport, signal: AbortSignal): AsyncGenerator<string> {
  const projects = paginate((after) =>
    server.request<ProjectList>(listProjects, { query: { limit: 100, include_archived: 'true', after }, signal }),
  );
  for await (const { id } of projects) yield id;
}

type KeyPath = Readonly<Record<'project_id' | 'api_key_id', string>>;

/** Whether calls for other projects may succeed although this one failed. */
function concernsOneProject(error: unknown): error is ApiError | InputError {
  if (error instanceof AuthenticationError || error instanceof PermissionError) return false;
  return error instanceof ApiError || (error instanceof InputError && error.param === 'project_id');
}

/** Paths of keys contain their project: looks it up unless it is given. */
async function paramsOf(
  server: Transport,
  api_key_id: string,
  project: string | undefined,
  { print, signal }: KeysContext,
): Promise<KeyPath> {
  if (project !== undefined) return { project_id: project, api_key_id };
  const failures: (ApiError | InputError)[] = [];
  for await (const project_id of projectIds(server, signal)) {
    const params = { project_id, api_key_id };
    try {
      await server.request<ProjectApiKey>(retrieveProjectApiKey, { params, signal });
      return params;
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
  throw failedCall ?? notFound ?? failures[0] ?? usageError(`No project contains the key "${api_key_id}".`);
}
