import { printResults, resultFlags } from '../../batch/results.ts';
import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  arguments: [{ name: 'batch-id', description: 'of a batch that is over' }],
  flags: resultFlags,
  description: 'With --json, the lines of the output and of the error file as they are.',
  examples: [
    { what: 'What was answered', line: 'modelwire batch results batch_abc' },
    { what: 'What failed', line: 'modelwire batch results batch_abc --failed --json' },
  ],
  run: (context) => printResults(context, context.args[0] ?? ''),
});
