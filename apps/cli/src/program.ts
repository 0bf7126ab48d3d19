import { processTerminal } from './process-terminal.ts';
import { run } from './run.ts';

void run(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
  // Exits although stdin or a keep-alive connection can still be open, after the output is flushed.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
});
