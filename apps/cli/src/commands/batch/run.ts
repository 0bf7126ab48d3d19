import { printResults, resultFlags } from '../../batch/results.ts';
import { sendArguments, sendBatch, sendDescription, sendFlags } from '../../batch/send.ts';
import { waitFlags, watchBatch } from '../../batch/watch.ts';
import { defineCommand } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { batchFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: sendArguments,
  flags: { ...sendFlags, ...waitFlags, ...resultFlags },
  description: `Sends the input, waits, and writes the results.\n\n${sendDescription}`,
  examples: [
    {
      what: 'An answer to each line',
      line: `modelwire batch run words.txt --prompt 'Translate into French: {{line}}' --text`,
    },
    {
      what: 'From a pipe into a pipe',
      line: `seq 3 | modelwire batch run - -p 'Count to {{line}}' --json | jq -c .response.body`,
    },
  ],
  async run(context) {
    const { print } = context;
    const started = await sendBatch(context);
    print.note(`${started.id} has begun`);
    const batch = await watchBatch(context, started.id);
    if (batch.status === 'failed') {
      await print.record(batch, batchFields(batch));
      return EXIT.bad;
    }
    const code = await printResults(context, batch);
    if (batch.status !== 'completed') print.warn(`the batch is ${batch.status}`);
    return batch.status === 'completed' ? code : EXIT.bad;
  },
});
