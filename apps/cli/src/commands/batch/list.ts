import { createBatches } from '@modelwire/batches';
import { defineCommand } from '../../command.ts';
import { batchColumns } from '../../output/shapes.ts';
import { listFlags, pageQuery, take } from '../../paging.ts';

export const command = defineCommand({
  arguments: [],
  flags: listFlags,
  examples: [
    { what: 'The newest batches', line: 'modelwire batch list' },
    { what: 'Those that run', line: `modelwire batch list --all --json | jq 'select(.status == "in_progress")'` },
  ],
  async run({ flags, transport, print, signal }) {
    const list = createBatches(await transport()).list(pageQuery(flags), { signal });
    await print.rows(take(list, flags), batchColumns, 'No batches.');
    return undefined;
  },
});
