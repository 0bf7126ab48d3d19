import type { Define } from '../app.ts';
import { printResults, withResultOptions } from '../batch/results.ts';
import { sendBatch, withSendOptions } from '../batch/send.ts';
import { waitForBatch } from '../batch/wait.ts';
import { EXIT } from '../exit-codes.ts';
import { batchColumns, batchFields } from '../output/shapes.ts';
import { listCommand, pageQuery, take } from '../paging.ts';
import { resourceCommands } from '../resource-commands.ts';
import { subcommand } from '../subcommand.ts';
import { withWaitOptions } from '../wait-for.ts';

export const define: Define = (batches, app) => {
  const { client, print, signal } = app;
  const resource = resourceCommands(batches, app, { id: 'batch-id', example: 'batch_abc123', fields: batchFields });

  withSendOptions(
    subcommand(batches, 'create', 'Create a batch', {
      'Send complete requests': 'modelwire batches create requests.jsonl',
      'Ask about each line': `modelwire batches create words.txt --prompt 'Translate into French: {{line}}' --model simulator`,
      'Moderate each line': 'modelwire batches create comments.txt --endpoint /v1/moderations',
    }),
  ).action(async (input, flags) => {
    await resource.print(await sendBatch(app, input, flags));
  });

  const run = subcommand(batches, 'run', 'Create a batch, wait for it and print its results', {
    'Print one reply per line': `modelwire batches run words.txt --prompt 'Translate into French: {{line}}' --text`,
    'Use it in a pipe': `seq 3 | modelwire batches run - -p 'Count to {{line}}' --json | jq -c .response.body`,
  });
  withResultOptions(withWaitOptions(withSendOptions(run))).action(async (input, flags) => {
    const created = await sendBatch(app, input, flags);
    print.note(`Created ${created.id}.`);
    const batch = await waitForBatch(app, created.id, flags);
    if (batch.status === 'failed') return resource.printEnded(batch);
    await printResults(app, batch, flags);
    if (batch.status === 'completed') return;
    app.exitCode = EXIT.unsuccessful;
    print.warn(`The batch is ${batch.status}.`);
  });

  resource.call('get', 'Show a batch', ({ batches }, id, options) => batches.retrieve(id, options));

  listCommand(batches, 'List batches, newest first', {
    'List the newest batches': 'modelwire batches list',
    'List batches that are running': `modelwire batches list --all --json | jq 'select(.status == "in_progress")'`,
  }).action(async (flags) => {
    const { batches } = await client();
    await print.rows(take(batches.list(pageQuery(flags), { signal }), flags), batchColumns, 'No batches.');
  });

  const wait = resource.withId('wait', 'Wait until a batch has ended', {
    'Print the results when they are available':
      'modelwire batches wait batch_abc && modelwire batches results batch_abc',
  });
  withWaitOptions(wait)
    .description('Exits with 0 if the batch is completed, and with 10 if it failed, expired or was cancelled.')
    .action(async (id, flags) => resource.printEnded(await waitForBatch(app, id, flags)));

  const results = resource.withId('results', 'Print the results of a batch', {
    'Print the replies': 'modelwire batches results batch_abc',
    'Print the failed requests': 'modelwire batches results batch_abc --failed --json',
  });
  withResultOptions(results)
    .description('With --json, prints the lines of the output file and of the error file unchanged.')
    .action((id, flags) => printResults(app, id, flags));

  resource
    .call('cancel', 'Cancel a batch', ({ batches }, id, options) => batches.cancel(id, options))
    .description('Requests in progress are completed, and results that exist are kept.');
};
