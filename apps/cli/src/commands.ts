import type { Entry } from './command.ts';

/** The table of commands. Help, completion and what may have been meant are made from it; a command is loaded when it is run. */
export const commands: readonly Entry[] = [
  { name: 'chat', summary: 'ask a model, or talk to it', load: () => import('./commands/chat.ts') },
  {
    name: 'completions',
    summary: 'completions that the server keeps',
    commands: [
      { name: 'list', summary: 'stored completions', load: () => import('./commands/completions/list.ts') },
      { name: 'get', summary: 'one of them', load: () => import('./commands/completions/get.ts') },
      { name: 'update', summary: 'give one other metadata', load: () => import('./commands/completions/update.ts') },
      {
        name: 'messages',
        summary: 'what was asked and answered',
        load: () => import('./commands/completions/messages.ts'),
      },
      { name: 'delete', summary: 'delete completions', load: () => import('./commands/completions/delete.ts') },
    ],
  },
  { name: 'moderate', summary: 'judge texts and images', load: () => import('./commands/moderate.ts') },
  {
    name: 'batch',
    summary: 'many requests at once, and later',
    commands: [
      { name: 'create', summary: 'start a batch', load: () => import('./commands/batch/create.ts') },
      { name: 'run', summary: 'start one, wait, and write its results', load: () => import('./commands/batch/run.ts') },
      { name: 'get', summary: 'how far one is', load: () => import('./commands/batch/get.ts') },
      { name: 'list', summary: 'batches, newest first', load: () => import('./commands/batch/list.ts') },
      { name: 'wait', summary: 'wait for the end of one', load: () => import('./commands/batch/wait.ts') },
      { name: 'results', summary: 'what came of each request', load: () => import('./commands/batch/results.ts') },
      { name: 'cancel', summary: 'stop one', load: () => import('./commands/batch/cancel.ts') },
    ],
  },
  { name: 'upload', summary: 'send large files: parallel, resumable', load: () => import('./commands/upload.ts') },
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
    name: 'video',
    summary: 'make videos, and fetch them',
    commands: [
      { name: 'create', summary: 'begin one', load: () => import('./commands/video/create.ts') },
      { name: 'remix', summary: 'begin one made from another', load: () => import('./commands/video/remix.ts') },
      { name: 'get', summary: 'how far one is', load: () => import('./commands/video/get.ts') },
      { name: 'wait', summary: 'wait until one is made', load: () => import('./commands/video/wait.ts') },
      { name: 'download', summary: 'save one, or pictures of it', load: () => import('./commands/video/download.ts') },
      { name: 'open', summary: 'look at one', load: () => import('./commands/video/open.ts') },
      { name: 'list', summary: 'videos, newest first', load: () => import('./commands/video/list.ts') },
      { name: 'delete', summary: 'delete videos', load: () => import('./commands/video/delete.ts') },
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
  { name: 'keys', summary: 'who may call a server of yours', load: () => import('./commands/keys.ts') },
  { name: 'serve', summary: 'run a server', load: () => import('./commands/serve.ts') },
  { name: 'mock', summary: 'run a server with scripted replies', load: () => import('./commands/mock.ts') },
  { name: 'conform', summary: 'score a server of this interface', load: () => import('./commands/conform.ts') },
  { name: 'doctor', summary: 'what is wrong, and how to mend it', load: () => import('./commands/doctor.ts') },
  {
    name: 'profile',
    summary: 'servers and their keys, each under a name',
    commands: [
      { name: 'add', summary: 'keep a server and its key', load: () => import('./commands/profile/add.ts') },
      { name: 'list', summary: 'all profiles', load: () => import('./commands/profile/list.ts') },
      { name: 'show', summary: 'one profile', load: () => import('./commands/profile/show.ts') },
      { name: 'use', summary: 'use one from now on', load: () => import('./commands/profile/use.ts') },
      { name: 'remove', summary: 'forget one', load: () => import('./commands/profile/remove.ts') },
    ],
  },
  {
    name: 'config',
    summary: 'what commands go by',
    commands: [
      {
        name: 'list',
        summary: 'what counts, and where it comes from',
        load: () => import('./commands/config/list.ts'),
      },
      { name: 'get', summary: 'a field of the profile', load: () => import('./commands/config/get.ts') },
      { name: 'set', summary: 'set a field', load: () => import('./commands/config/set.ts') },
      { name: 'unset', summary: 'take a field away', load: () => import('./commands/config/unset.ts') },
      { name: 'path', summary: 'where things are kept', load: () => import('./commands/config/path.ts') },
    ],
  },
  { name: 'completion', summary: 'completion for your shell', load: () => import('./commands/completion.ts') },
  { name: '__complete', hidden: true, summary: 'what may follow', load: () => import('./commands/complete.ts') },
];
