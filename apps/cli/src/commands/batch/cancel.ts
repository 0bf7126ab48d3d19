import { createBatches } from '@modelwire/batches';
import { defineCommand } from '../../command.ts';
import { batchFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: [{ name: 'batch-id', description: 'as batch list shows it' }],
  flags: {},
  description: 'What is under way is let end; what was answered stays.',
  examples: [{ what: 'Stop a batch', line: 'modelwire batch cancel batch_abc123' }],
  async run({ args: [id = ''], transport, print, signal }) {
    const batch = await createBatches(await transport()).cancel(id, { signal });
    await print.record(batch, batchFields(batch));
    return undefined;
  },
});
