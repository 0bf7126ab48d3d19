import { basename, resolve } from 'node:path';
import type { Define } from '../app.ts';
import { openFile } from '../open-file.ts';
import { fileColumns, fileFields } from '../output/shapes.ts';
import { listCommand, orderOption, pageQuery, take } from '../paging.ts';
import { purposeOf, withNewFileOptions } from '../purpose.ts';
import { resourceCommands } from '../resource-commands.ts';
import { saveBody, withSaveOptions } from '../save-body.ts';
import { subcommand } from '../subcommand.ts';

export const define: Define = (group, app) => {
  const { client, terminal, print, signal } = app;
  const resource = resourceCommands(group, app, { id: 'file-id', example: 'file-abc123', fields: fileFields });

  listCommand(group, 'List files, newest first', {
    'List the 20 newest files': 'modelwire files list',
    'Print the IDs of all batch inputs': 'modelwire files list --purpose batch --all --json | jq -r .id',
  })
    .addOption(orderOption())
    .option('--purpose <purpose>', 'Only files with this purpose')
    .action(async (flags) => {
      const { order, purpose } = flags;
      const list = (await client()).files.list({ ...pageQuery(flags), order, purpose }, { signal });
      await print.rows(take(list, flags), fileColumns, 'No files.');
    });

  resource.call('get', 'Show a file', ({ files }, id, options) => files.retrieve(id, options));

  withNewFileOptions(
    subcommand(group, 'create', 'Upload a file of up to 512 MB', {
      'Upload the input of a batch': 'modelwire files create requests.jsonl',
      'Print only the ID': 'modelwire files create notes.pdf --json | jq -r .id',
    }),
  )
    .description('For larger files, or to resume an interrupted upload, use modelwire upload.')
    .argument('<file>', 'Path of the file')
    .action(async (path, { name, purpose, expiresAfter: seconds }) => {
      const file = await openFile(resolve(terminal.cwd, path));
      const filename = name ?? basename(path);
      const { files } = await client();
      await resource.print(
        await files.create(
          {
            ...{ file, filename, purpose: purpose ?? purposeOf(filename) },
            ...(seconds !== undefined && { expires_after: { anchor: 'created_at', seconds } }),
          },
          { signal },
        ),
      );
    });

  withSaveOptions(
    resource.withId('download', 'Download a file', {
      'Save it in this folder, under its own name': 'modelwire files download file-abc123',
      'Pipe it': 'modelwire files download file-abc123 -o - | gzip > notes.gz',
    }),
  ).action(async (id, flags) => {
    const { files } = await client();
    const name = flags.output === '-' ? id : (await files.retrieve(id, { signal })).filename;
    await saveBody(app, flags, await files.content(id, { signal }), name);
  });

  resource.delete('Delete files', ({ files }, id, options) => files.delete(id, options), {
    'Delete all batch outputs':
      'modelwire files list --purpose batch_output --all --json | jq -r .id | xargs modelwire files delete',
  });
};
