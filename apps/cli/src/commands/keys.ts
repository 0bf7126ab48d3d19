import { defineCommand } from '../command.ts';
import { limitFlags } from '../limits.ts';
import { rateFlags, serverFlags } from '../keys/flags.ts';
import { runLocally } from '../keys/local-keys.ts';
import {
  createKey,
  keyChangesOf,
  limitProject,
  listKeys,
  remoteServer,
  revokeKey,
  rotateKey,
  updateKey,
} from '../keys/remote-keys.ts';

const description = `If a base URL is configured, manages the keys of that server, using an API key with the role admin. Otherwise, or with
--local, accesses the data of the server in this folder, or the database in its configuration, whether or not the server is running; this
requires @modelwire/server-app. Prints on stderr which server it uses.`;
const idArgument = { name: 'key-id', description: 'ID from modelwire keys list' };
const roleFlag = { type: 'string', choices: ['full', 'read_only', 'inference_only', 'admin'] } as const;
const projectFlag = {
  type: 'string',
  value: 'id',
  description: 'Project of the key (default: search all projects)',
} as const;

export const create = defineCommand({
  arguments: [],
  flags: {
    project: { type: 'string', value: 'name', description: 'Project of the key (default: default)' },
    role: { ...roleFlag, description: 'Role of the key (default: full)' },
    name: { type: 'string', description: 'Description of the key' },
    expires: { type: 'string', value: 'time', description: 'Time until the key expires, such as 30d, 12h or 5m' },
    ...limitFlags,
    ...serverFlags,
  },
  description: `The key is printed once and cannot be shown again.\n\n${description}`,
  examples: [
    { what: 'Create a key', line: 'modelwire keys create --project shop --role inference_only --expires 30d' },
    {
      what: 'Create a key for one model',
      line: 'modelwire keys create --allow-model simulator --max-output-tokens 1000',
    },
    { what: 'Create a key on the server in this folder', line: 'modelwire keys create --local --role admin' },
  ],
  async run(context) {
    const server = await remoteServer(context);
    return server ? createKey(server, context, context.flags) : runLocally(context, ['create']);
  },
});

export const list = defineCommand({
  arguments: [],
  flags: { project: { type: 'string', value: 'name', description: 'Only keys of this project' }, ...serverFlags },
  description: `If a project cannot be read, prints a warning, lists the keys of the other projects, and exits with code 10.\n\n${description}`,
  examples: [{ what: 'List all keys', line: 'modelwire keys list' }],
  async run(context) {
    const server = await remoteServer(context);
    return server ? listKeys(server, context, context.flags.project) : runLocally(context, ['list']);
  },
});

export const update = defineCommand({
  arguments: [idArgument],
  flags: {
    name: { type: 'string', description: 'New description of the key' },
    role: { ...roleFlag, description: 'New role' },
    expires: {
      type: 'string',
      value: 'time',
      description: 'Time until the key expires, such as 30d, 12h or 5m. "none": it does not expire',
    },
    ...limitFlags,
    project: projectFlag,
    ...serverFlags,
  },
  description: `Takes effect within two seconds on all replicas.\n\n${description}`,
  examples: [
    { what: 'Limit a key', line: 'modelwire keys update key_abc123 --max-output-tokens 1000' },
    { what: 'Allow all models again', line: 'modelwire keys update key_abc123 --allow-model none' },
  ],
  async run(context) {
    const { args, flags } = context;
    const changes = keyChangesOf(flags);
    const server = await remoteServer(context);
    if (server) return updateKey(server, context, { id: args[0] ?? '', project: flags.project, changes });
    return runLocally(context, ['update', ...args]);
  },
});

export const rotate = defineCommand({
  arguments: [idArgument],
  flags: {
    grace: {
      type: 'string',
      value: 'time',
      description: 'Time for which the previous secret stays valid, such as 1h (default: none)',
    },
    project: projectFlag,
    ...serverFlags,
  },
  description: `The new secret is printed once and cannot be shown again.\n\n${description}`,
  examples: [{ what: 'Replace a secret, with a grace period', line: 'modelwire keys rotate key_abc123 --grace 1h' }],
  async run(context) {
    const { args, flags } = context;
    const server = await remoteServer(context);
    return server ? rotateKey(server, context, args[0] ?? '', flags) : runLocally(context, ['rotate', ...args]);
  },
});

export const revoke = defineCommand({
  arguments: [idArgument],
  flags: { project: projectFlag, ...serverFlags },
  description: `Takes effect within two seconds on all replicas.\n\n${description}`,
  examples: [{ what: 'Revoke a key', line: 'modelwire keys revoke key_abc123' }],
  async run(context) {
    const { args, flags } = context;
    const server = await remoteServer(context);
    return server ? revokeKey(server, context, args[0] ?? '', flags.project) : runLocally(context, ['revoke', ...args]);
  },
});

export const limit = defineCommand({
  arguments: [{ name: 'project', description: 'Project whose keys share the limits' }],
  flags: { ...rateFlags, ...serverFlags },
  description: `Without an option, the limits of the project are removed.\n\n${description}`,
  examples: [{ what: 'Limit a project', line: 'modelwire keys limit shop --tokens-per-minute 100000' }],
  async run(context) {
    const { args, flags } = context;
    const server = await remoteServer(context);
    return server ? limitProject(server, context, args[0] ?? '', flags) : runLocally(context, ['limit', ...args]);
  },
});
