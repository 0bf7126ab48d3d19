import { createBatches } from '@modelwire/batches';
import type { Batch } from '@modelwire/batches';
import { printResults, resultFlags } from '../batch/results.ts';
import { sendArguments, sendBatch, sendDescription, sendFlags } from '../batch/send.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { batchColumns, batchFields } from '../output/shapes.ts';
import { listFlags, pageQuery, take } from '../paging.ts';
import { defineResource } from '../resource-commands.ts';
import { waitFlags, waitFor } from '../wait-for.ts';

const resource = defineResource({ id: 'batch-id', list: 'batches list', fields: batchFields });

export const create = defineCommand({
  arguments: sendArguments,
  flags: sendFlags,
  description: sendDescription,
  examples: [
    { what: 'Send complete requests', line: 'modelwire batches create requests.jsonl' },
    {
      what: 'Ask about each line',
      line: `modelwire batches create words.txt --prompt 'Translate into French: {{line}}' --model simulator`,
    },
    { what: 'Moderate each line', line: 'modelwire batches create comments.txt --endpoint /v1/moderations' },
  ],
  async run(context) {
    const batch = await sendBatch(context);
    await context.print.record(batch, batchFields(batch));
  },
});

export const run = defineCommand({
  arguments: sendArguments,
  flags: { ...sendFlags, ...waitFlags, ...resultFlags },
  description: sendDescription,
  examples: [
    {
      what: 'Print one reply per line',
      line: `modelwire batches run words.txt --prompt 'Translate into French: {{line}}' --text`,
    },
    {
      what: 'Use it in a pipe',
      line: `seq 3 | modelwire batches run - -p 'Count to {{line}}' --json | jq -c .response.body`,
    },
  ],
  async run(context) {
    const { print } = context;
    const created = await sendBatch(context);
    print.note(`Created ${created.id}.`);
    const batch = await waitForBatch(context, created.id);
    if (batch.status === 'failed') {
      await print.record(batch, batchFields(batch));
      return EXIT.unsuccessful;
    }
    const code = await printResults(context, batch);
    if (batch.status !== 'completed') print.warn(`The batch is ${batch.status}.`);
    return batch.status === 'completed' ? code : EXIT.unsuccessful;
  },
});

export const get = resource.call('Show the progress of a batch', 'batches get batch_abc123', (transport, id, options) =>
  createBatches(transport).retrieve(id, options),
);

export const list = defineCommand({
  arguments: [],
  flags: listFlags,
  examples: [
    { what: 'List the newest batches', line: 'modelwire batches list' },
    {
      what: 'List batches that are running',
      line: `modelwire batches list --all --json | jq 'select(.status == "in_progress")'`,
    },
  ],
  async run({ flags, transport, print, signal }) {
    const pages = createBatches(await transport()).list(pageQuery(flags), { signal });
    await print.rows(take(pages, flags), batchColumns, 'No batches.');
  },
});

async function waitForBatch(context: Context<typeof waitFlags>, batchId: string): Promise<Batch> {
  const batches = createBatches(await context.transport());
  return waitFor(
    context,
    `batches wait ${batchId}`,
    (options) => batches.wait(batchId, options),
    ({ status, request_counts: counts }) => {
      const done = counts === undefined ? 0 : counts.completed + counts.failed;
      context.print.progress.update({ done, total: Math.max(1, counts?.total ?? 1), label: `${batchId} ${status}` });
    },
  );
}

export const wait = resource.wait(
  'Print the results when they are available',
  'batches wait batch_abc && modelwire batches results batch_abc',
  waitForBatch,
  'Exits with 0 if the batch is completed, and with 10 if it failed, expired or was cancelled.',
);

export const results = defineCommand({
  arguments: [{ name: resource.argument.name, description: 'ID of a batch that has ended' }],
  flags: resultFlags,
  description: 'With --json, prints the lines of the output file and of the error file unchanged.',
  examples: [
    { what: 'Print the replies', line: 'modelwire batches results batch_abc' },
    { what: 'Print the failed requests', line: 'modelwire batches results batch_abc --failed --json' },
  ],
  run: (context) => printResults(context, context.args[0] ?? ''),
});

export const cancel = resource.call(
  'Cancel a batch',
  'batches cancel batch_abc123',
  (transport, id, options) => createBatches(transport).cancel(id, options),
  'Requests in progress are completed, and results that exist are kept.',
);
