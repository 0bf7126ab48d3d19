import { sendArguments, sendBatch, sendDescription, sendFlags } from '../../batch/send.ts';
import { defineCommand } from '../../command.ts';
import { batchFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: sendArguments,
  flags: sendFlags,
  description: sendDescription,
  examples: [
    { what: 'Requests that are written already', line: 'modelwire batch create requests.jsonl' },
    {
      what: 'A question about each line',
      line: `modelwire batch create words.txt --prompt 'Translate into French: {{line}}' --model simulator`,
    },
    { what: 'Moderation of each line', line: 'modelwire batch create comments.txt --endpoint /v1/moderations' },
  ],
  async run(context) {
    const batch = await sendBatch(context);
    await context.print.record(batch, batchFields(batch));
    return undefined;
  },
});
