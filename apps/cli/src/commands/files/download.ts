import { createFiles } from '@modelwire/files';
import { defineCommand } from '../../command.ts';
import { saveBody, saveFlags } from '../../saving.ts';

export const command = defineCommand({
  arguments: [{ name: 'file-id', description: 'as files list shows it' }],
  flags: saveFlags,
  examples: [
    { what: 'Under its own name, into this folder', line: 'modelwire files download file-abc123' },
    { what: 'Into a pipe', line: 'modelwire files download file-abc123 -o - | gzip > notes.gz' },
  ],
  async run(context) {
    const { args, flags, transport, signal } = context;
    const [id = ''] = args;
    const files = createFiles(await transport());
    const name = flags.output !== '-' ? (await files.retrieve(id, { signal })).filename : id;
    await saveBody(context, await files.content(id, { signal }), name);
    return undefined;
  },
});
