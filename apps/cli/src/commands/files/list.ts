import { createFiles } from '@modelwire/files';
import { defineCommand } from '../../command.ts';
import { fileColumns } from '../../output/shapes.ts';
import { listFlags, orderFlag, pageQuery, take } from '../../paging.ts';

export const command = defineCommand({
  arguments: [],
  flags: {
    ...listFlags,
    ...orderFlag,
    purpose: { type: 'string', description: 'only those of this purpose' },
  },
  examples: [
    { what: 'The twenty newest files', line: 'modelwire files list' },
    { what: 'Ids of all files of batches', line: 'modelwire files list --purpose batch --all --json | jq -r .id' },
  ],
  async run({ flags, transport, print, signal }) {
    const { order, purpose } = flags;
    const query = { ...pageQuery(flags), ...(order && { order }), ...(purpose !== undefined && { purpose }) };
    const list = createFiles(await transport()).list(query, { signal });
    await print.rows(take(list, flags), fileColumns, 'No files.');
    return undefined;
  },
});
