import { waitFlags, watchBatch } from '../../batch/watch.ts';
import { defineCommand } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { batchFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: [{ name: 'batch-id', description: 'as batch list shows it' }],
  flags: waitFlags,
  description: 'Ends with 0 when the batch is completed, and with 10 when it failed, expired or was cancelled.',
  examples: [
    {
      what: 'Results as soon as they are there',
      line: 'modelwire batch wait batch_abc && modelwire batch results batch_abc',
    },
  ],
  async run(context) {
    const batch = await watchBatch(context, context.args[0] ?? '');
    await context.print.record(batch, batchFields(batch));
    return batch.status === 'completed' ? undefined : EXIT.bad;
  },
});
