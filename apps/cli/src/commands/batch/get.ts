import { createBatches } from '@modelwire/batches';
import { defineCommand } from '../../command.ts';
import { batchFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: [{ name: 'batch-id', description: 'as batch list shows it' }],
  flags: {},
  examples: [{ what: 'How far it is', line: 'modelwire batch get batch_abc123' }],
  async run({ args: [id = ''], transport, print, signal }) {
    const batch = await createBatches(await transport()).retrieve(id, { signal });
    await print.record(batch, batchFields(batch));
    return undefined;
  },
});
