import type { Entry } from './command.ts';

/** The table of commands. Help, completion and what may have been meant are made from it; a command is loaded when it is run. */
export const commands: readonly Entry[] = [
  { name: 'chat', summary: 'ask a model, or talk to it', load: () => import('./commands/chat.ts') },
  {
    name: 'files',
    summary: 'files on the server',
    commands: [
      { name: 'list', summary: 'files, newest first', load: () => import('./commands/files/list.ts') },
      { name: 'get', summary: 'what is known of a file', load: () => import('./commands/files/get.ts') },
      { name: 'create', summary: 'send a file of up to 512 MB', load: () => import('./commands/files/create.ts') },
      { name: 'download', summary: "a file's bytes", load: () => import('./commands/files/download.ts') },
      { name: 'delete', summary: 'delete files', load: () => import('./commands/files/delete.ts') },
    ],
  },
  {
    name: 'models',
    summary: 'models of the server',
    commands: [
      { name: 'list', summary: 'all models', load: () => import('./commands/models/list.ts') },
      { name: 'get', summary: 'one model', load: () => import('./commands/models/get.ts') },
    ],
  },
];
