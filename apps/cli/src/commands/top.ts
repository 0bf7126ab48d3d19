import type { Define } from '../app.ts';
import { numberFrom } from '../option-values.ts';
import { withExamples } from '../subcommand.ts';
import { snapshotText } from '../top/screen.ts';
import { createSnapshotReader } from '../top/snapshot.ts';
import { watch } from '../top/watch.ts';

export const define: Define = (command, app) => {
  withExamples(command, {
    'Watch the server': 'modelwire top',
    'Print what it does now': 'modelwire top --once',
    'List upstreams that fail': `modelwire top --json | jq '.upstreams[] | select(.status != "available")'`,
  })
    .description(
      `Shows requests in flight, activity of the last hour, engines with their queues, upstreams with their circuit breakers, and batches of the project of the key that have not ended. Requires a Modelwire server and an API key with the role admin. Activity is that of the process that answers: tokens, and p50 / p95 of the time to first token (ttft) and of the duration. In a pipe and with --json, it prints one snapshot.`,
    )
    .option('--once', 'Print one snapshot')
    .option('-n, --interval <seconds>', 'Seconds between updates (default: 2)', numberFrom({ min: 0.1, max: 3600 }))
    .action(async ({ once, interval = 2 }) => {
      const { terminal, print } = app;
      const read = await createSnapshotReader(app);
      const snapshot = await read();
      if (print.json) return print.value(snapshot);
      const isWatching = !once && terminal.isTTY.stdin && terminal.isTTY.stdout;
      if (isWatching) return watch(app, snapshot, read, interval * 1000);
      return print.raw(snapshotText(snapshot, print.style, print.isTTY ? terminal.columns() : undefined));
    });
};
