import { createFiles } from '@modelwire/files';
import { defineCommand } from '../../command.ts';
import { fileFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: [{ name: 'file-id', description: 'as files list shows it' }],
  flags: {},
  examples: [{ what: 'What is known of a file', line: 'modelwire files get file-abc123' }],
  async run({ args: [id = ''], transport, print, signal }) {
    const file = await createFiles(await transport()).retrieve(id, { signal });
    await print.record(file, fileFields(file));
    return undefined;
  },
});
