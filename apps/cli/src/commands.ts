import type { Define } from './app.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly isHidden?: true;
  load(): Promise<{ readonly define: Define }>;
}

const entry = (name: string, summary: string, load: Entry['load']): Entry => ({ name, summary, load });

/** The commands and groups of commands, in the order of the help. A module is loaded when its command is run. */
export const commands: readonly Entry[] = [
  entry('chat', 'Send a message to a model, or start an interactive chat', () => import('./commands/chat.ts')),
  entry('chats', 'Manage the chats saved on this machine', () => import('./commands/chats.ts')),
  entry('completions', 'Manage chat completions stored on the server', () => import('./commands/completions.ts')),
  entry('responses', 'Create and manage responses stored on the server', () => import('./commands/responses.ts')),
  entry('embeddings', 'Turn texts into embedding vectors', () => import('./commands/embeddings.ts')),
  entry('moderate', 'Classify texts and images', () => import('./commands/moderate.ts')),
  entry('batches', 'Run many requests as one batch', () => import('./commands/batches.ts')),
  entry('datasets', 'Use stored completions for training and comparison', () => import('./commands/datasets.ts')),
  entry('upload', 'Upload large files in parallel, with resume', () => import('./commands/upload.ts')),
  entry('files', 'Manage files on the server', () => import('./commands/files.ts')),
  entry('videos', 'Generate and download videos', () => import('./commands/videos.ts')),
  entry('models', 'Show the models of the server', () => import('./commands/models.ts')),
  entry('usage', 'Show requests and tokens by day', () => import('./commands/usage.ts')),
  entry('keys', 'Manage API keys of the server', () => import('./commands/keys.ts')),
  entry('projects', 'Manage projects of the server', () => import('./commands/projects.ts')),
  entry('budgets', 'Manage budgets of keys and projects', () => import('./commands/budgets.ts')),
  entry('audit', 'Read the audit log of the server', () => import('./commands/audit.ts')),
  entry('webhooks', 'Manage webhooks and their deliveries', () => import('./commands/webhooks.ts')),
  entry('init', 'Write a configuration file for the server', () => import('./commands/init.ts')),
  entry('serve', 'Start a server', () => import('./commands/serve.ts')),
  entry('mock', 'Start a mock server with scripted replies', () => import('./commands/mock.ts')),
  entry('replay', 'Serve recorded responses', () => import('./commands/replay.ts')),
  entry('top', 'Watch requests, upstreams and batches of the server', () => import('./commands/top.ts')),
  entry('conform', 'Run the conformance suite against a server', () => import('./commands/conform.ts')),
  entry('doctor', 'Diagnose problems', () => import('./commands/doctor.ts')),
  entry('profiles', 'Manage profiles: a server, its key and defaults', () => import('./commands/profiles.ts')),
  entry('config', 'Manage configuration', () => import('./commands/config.ts')),
  entry('completion', 'Generate a shell completion script', () => import('./commands/completion.ts')),
  { ...entry('__complete', 'Complete a command line', () => import('./commands/complete.ts')), isHidden: true },
];
