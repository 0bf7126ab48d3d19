import type { Command, Entry, Group, Leaf } from './command.ts';

/** A noun and its commands, which are exports of one module. */
function group<Name extends string>(
  name: string,
  summary: string,
  load: () => Promise<Readonly<Record<Name, Command>>>,
  summaries: Readonly<Record<Name, string>>,
): Group {
  const entries = Object.entries<string>(summaries);
  const commands = entries.map(([each, text]): Leaf => ({
    name: each,
    summary: text,
    async load() {
      const module: Readonly<Partial<Record<string, Command>>> = await load();
      const command = module[each];
      if (command === undefined) throw new Error(`The module of ${name} does not export ${each}.`);
      return command;
    },
  }));
  return { name, summary, commands };
}

function leaf(name: string, summary: string, load: () => Promise<{ readonly command: Command }>): Leaf {
  return { name, summary, load: async () => (await load()).command };
}

/** The table of commands. Help, completion and suggestions are derived from it. */
export const commands: readonly Entry[] = [
  leaf('chat', 'Send a message to a model, or start an interactive chat', () => import('./commands/chat.ts')),
  group('chats', 'Manage the chats saved on this machine', () => import('./commands/chats.ts'), {
    list: 'List saved chats, newest first',
    get: 'Show a saved chat',
    delete: 'Delete saved chats',
  }),
  group('completions', 'Manage chat completions stored on the server', () => import('./commands/completions.ts'), {
    list: 'List stored completions',
    get: 'Show a stored completion',
    update: 'Replace the metadata of a stored completion',
    messages: 'List the messages of a stored completion',
    delete: 'Delete stored completions',
  }),
  group('responses', 'Create and manage responses stored on the server', () => import('./commands/responses.ts'), {
    create: 'Create a response, or continue one',
    get: 'Show a stored response',
    items: 'List the items of the input of a response',
    wait: 'Wait for a background response and print its text',
    cancel: 'Cancel a background response',
    delete: 'Delete stored responses',
  }),
  leaf('embeddings', 'Turn texts into embedding vectors', () => import('./commands/embeddings.ts')),
  leaf('moderate', 'Classify texts and images', () => import('./commands/moderate.ts')),
  group('batches', 'Run many requests as one batch', () => import('./commands/batches.ts'), {
    create: 'Create a batch',
    run: 'Create a batch, wait for it and print its results',
    get: 'Show a batch',
    list: 'List batches, newest first',
    wait: 'Wait until a batch has ended',
    results: 'Print the results of a batch',
    cancel: 'Cancel a batch',
  }),
  leaf('upload', 'Upload large files in parallel, with resume', () => import('./commands/upload.ts')),
  group('files', 'Manage files on the server', () => import('./commands/files.ts'), {
    list: 'List files, newest first',
    get: 'Show a file',
    create: 'Upload a file of up to 512 MB',
    download: 'Download a file',
    delete: 'Delete files',
  }),
  group('videos', 'Generate and download videos', () => import('./commands/videos.ts'), {
    create: 'Generate a video from a prompt',
    remix: 'Generate a variation of a video',
    get: 'Show a video',
    wait: 'Wait until a video is completed',
    download: 'Download a video, its thumbnail or its spritesheet',
    open: 'Open a video in a player',
    list: 'List videos, newest first',
    delete: 'Delete videos',
  }),
  group('models', 'Show the models of the server', () => import('./commands/models.ts'), {
    list: 'List models',
    get: 'Show a model',
  }),
  leaf('usage', 'Show requests and tokens by day', () => import('./commands/usage.ts')),
  group('keys', 'Manage API keys of the server', () => import('./commands/keys.ts'), {
    create: 'Create an API key',
    list: 'List API keys',
    update: 'Change the name, role, expiry or limits of an API key',
    rotate: 'Replace the secret of an API key',
    revoke: 'Revoke an API key',
    limit: 'Set the rate limits of a project',
  }),
  group('projects', 'Manage projects of the server', () => import('./commands/projects.ts'), {
    list: 'List projects',
    get: 'Show a project and its storage usage',
    create: 'Create a project',
    update: 'Change the name or the limits of a project',
    archive: 'Archive a project and refuse its keys',
  }),
  group('budgets', 'Manage budgets of keys and projects', () => import('./commands/budgets.ts'), {
    list: 'List budgets and their spending',
    get: 'Show a budget',
    create: 'Create a budget',
    update: 'Change the limits of a budget, or override the hard limit',
    reset: 'Reset the spending of the current period to 0',
    delete: 'Delete budgets',
  }),
  group('audit', 'Read the audit log of the server', () => import('./commands/audit.ts'), {
    list: 'List administrative actions, newest first',
  }),
  group('webhooks', 'Manage webhooks and their deliveries', () => import('./commands/webhooks.ts'), {
    list: 'List webhooks',
    get: 'Show a webhook',
    create: 'Create a webhook',
    update: 'Change, enable or disable a webhook',
    rotate: 'Replace the signing secret of a webhook',
    deliveries: 'List the deliveries of a webhook, newest first',
    redeliver: 'Send an event again',
    delete: 'Delete webhooks',
  }),
  leaf('serve', 'Start a server', () => import('./commands/serve.ts')),
  leaf('mock', 'Start a mock server with scripted replies', () => import('./commands/mock.ts')),
  leaf('conform', 'Run the conformance suite against a server', () => import('./commands/conform.ts')),
  leaf('doctor', 'Diagnose problems', () => import('./commands/doctor.ts')),
  group('profiles', 'Manage profiles: a server, its key and defaults', () => import('./commands/profiles.ts'), {
    create: 'Create a profile',
    list: 'List profiles',
    get: 'Show a profile',
    use: 'Switch to a profile',
    delete: 'Delete a profile',
  }),
  group('config', 'Manage configuration', () => import('./commands/config.ts'), {
    list: 'Show the effective configuration and its sources',
    get: 'Print a value',
    set: 'Set a value',
    unset: 'Unset a value',
    path: 'Show where files are stored',
  }),
  leaf('completion', 'Generate a shell completion script', () => import('./commands/completion.ts')),
  leaf('help', 'Show help for a command', () => import('./commands/help.ts')),
  { ...leaf('__complete', 'Complete a command line', () => import('./commands/complete.ts')), hidden: true },
];
