import { basename, resolve } from 'node:path';
import { createFiles } from '@modelwire/files';
import { defineCommand } from '../command.ts';
import { openFile } from '../open-file.ts';
import { fileColumns, fileFields } from '../output/shapes.ts';
import { listFlags, orderFlag, pageQuery, take } from '../paging.ts';
import { newFileFlags, purposeOf } from '../purpose.ts';
import { defineResource } from '../resource-commands.ts';
import { saveBody, saveFlags } from '../save-body.ts';

const resource = defineResource({ id: 'file-id', list: 'files list', fields: fileFields });

export const list = defineCommand({
  arguments: [],
  flags: { ...listFlags, ...orderFlag, purpose: { type: 'string', description: 'Only files with this purpose' } },
  examples: [
    { what: 'List the 20 newest files', line: 'modelwire files list' },
    {
      what: 'Print the IDs of all batch inputs',
      line: 'modelwire files list --purpose batch --all --json | jq -r .id',
    },
  ],
  async run({ flags, transport, print, signal }) {
    const { purpose } = flags;
    const query = { ...pageQuery(flags), ...(purpose !== undefined && { purpose }) };
    const pages = createFiles(await transport()).list(query, { signal });
    await print.rows(take(pages, flags), fileColumns, 'No files.');
  },
});

export const get = resource.call('Show a file', 'files get file-abc123', (transport, id, options) =>
  createFiles(transport).retrieve(id, options),
);

export const create = defineCommand({
  arguments: [{ name: 'file', completes: 'file', description: 'Path of the file' }],
  flags: {
    ...newFileFlags,
    'expires-after': { type: 'integer', value: 'seconds', min: 1, description: 'Delete the file after this time' },
  },
  description: 'For larger files, or to resume an interrupted upload, use modelwire upload.',
  examples: [
    { what: 'Upload the input of a batch', line: 'modelwire files create requests.jsonl' },
    { what: 'Print only the ID', line: 'modelwire files create notes.pdf --json | jq -r .id' },
  ],
  async run({ args: [path = ''], flags, terminal, transport, print, signal }) {
    const file = await openFile(resolve(terminal.cwd, path));
    const filename = flags.name ?? basename(path);
    const purpose = flags.purpose ?? purposeOf(filename);
    const seconds = flags['expires-after'];
    const created = await createFiles(await transport()).create(
      {
        file,
        filename,
        purpose,
        ...(seconds !== undefined && { expires_after: { anchor: 'created_at', seconds } }),
      },
      { signal },
    );
    await print.record(created, fileFields(created));
  },
});

export const download = defineCommand({
  arguments: [resource.argument],
  flags: saveFlags,
  examples: [
    { what: 'Save it in this folder, under its own name', line: 'modelwire files download file-abc123' },
    { what: 'Pipe it', line: 'modelwire files download file-abc123 -o - | gzip > notes.gz' },
  ],
  async run(context) {
    const { args, flags, transport, signal } = context;
    const [file = ''] = args;
    const files = createFiles(await transport());
    const name = flags.output === '-' ? file : (await files.retrieve(file, { signal })).filename;
    await saveBody(context, await files.content(file, { signal }), name);
  },
});

const deleteFiles = resource.delete(
  'Delete all batch outputs',
  'files list --purpose batch_output --all --json | jq -r .id | xargs modelwire files delete',
  (transport, id, options) => createFiles(transport).delete(id, options),
);
export { deleteFiles as delete };
