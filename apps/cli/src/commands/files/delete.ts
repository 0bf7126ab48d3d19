import { createFiles } from '@modelwire/files';
import { defineCommand } from '../../command.ts';
import { deleteAll } from '../../deleting.ts';

export const command = defineCommand({
  arguments: [{ name: 'file-id', multiple: true, description: 'one or more, as files list shows them' }],
  flags: {},
  examples: [
    { what: 'One file', line: 'modelwire files delete file-abc123' },
    {
      what: 'All results of batches',
      line: 'modelwire files list --purpose batch_output --all --json | jq -r .id | xargs modelwire files delete',
    },
  ],
  async run({ args, transport, print, signal }) {
    const files = createFiles(await transport());
    return deleteAll(args, (id) => files.delete(id, { signal }), print);
  },
});
