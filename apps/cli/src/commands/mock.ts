import { resolve } from 'node:path';
import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { numberFrom } from '../option-values.ts';
import { withExamples } from '../subcommand.ts';
import { untilStopped } from '../until-stopped.ts';

export const define: Define = (command, app) => {
  withExamples(command, {
    'Serve scripted replies': 'modelwire mock replies.yaml',
    'Use it in a test': 'modelwire mock replies.json --port 0 --strict --json',
  })
    .description(
      'Serves the complete API with replies from a file, to test programs in any language. Requires @modelwire/testing.',
    )
    .argument('<file>', 'File with replies in YAML or JSON')
    .option(
      '-p, --port <number>',
      'Port (default: 8787); 0 for any free port',
      numberFrom({ min: 0, max: 65_535, isInteger: true }),
    )
    .option('--host <address>', 'Address (default: 127.0.0.1)')
    .option('--api-key <key>', 'API key that clients send (default: test-key)')
    .option('--strict', 'Exit with 10 if a request matched no reply, or a reply was never used')
    .action(async (file, { port = 8787, host, apiKey, strict }) => {
      const { terminal, print, signal } = app;
      const testing = await loadOptionalPackage('@modelwire/testing', terminal.cwd, () => import('@modelwire/testing'));
      const server = await testing
        .serveReplies({
          ...{ repliesFile: resolve(terminal.cwd, file), port },
          ...(host !== undefined && { host }),
          ...(apiKey !== undefined && { apiKey }),
        })
        .catch((error: unknown) => {
          throw error instanceof testing.ScriptError ? usageError(error.message) : error;
        });
      try {
        const { baseURL, apiKey: key } = server;
        if (print.json) await print.value({ base_url: baseURL, api_key: key });
        else await print.text(`Serving ${file} at ${baseURL} with the API key ${key}\n`);
        await untilStopped(terminal, signal);
        if (strict) server.assertAllUsed();
      } catch (error) {
        if (!(error instanceof testing.UnmatchedRequestError)) throw error;
        print.error(error.message, undefined);
        app.exitCode = EXIT.unsuccessful;
      } finally {
        await server.close();
      }
    });
};
