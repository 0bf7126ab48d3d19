import { resolve } from 'node:path';
import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { collect, numberFrom } from '../option-values.ts';
import { withExamples } from '../subcommand.ts';
import { untilStopped } from '../until-stopped.ts';

export const define: Define = (command, app) => {
  withExamples(command, {
    'Serve recorded responses': 'modelwire replay recording.yaml',
    'Forward other requests to a server, and record them':
      'modelwire replay recording.yaml --forward --base-url http://127.0.0.1:8787/v1',
  })
    .description(
      'Serves the responses of a recording, the same ones for the same requests. Other requests get an error with the differences. Requires @modelwire/testing, whose tests read the same recordings.',
    )
    .argument('<file>', 'Recording in YAML')
    .option(
      '-p, --port <number>',
      'Port (default: 8787); 0 for any free port',
      numberFrom({ min: 0, max: 65_535, isInteger: true }),
    )
    .option('--host <address>', 'Address (default: 127.0.0.1)')
    .option('--forward', 'Forward other requests to the configured server, and record them when it stops')
    .option('--ignore <path>', 'Part of requests that may differ, such as body.seed (repeatable)', collect)
    .option('--strict', 'Exit with 10 if a request was not recorded, or a response was never requested')
    .action(async (file, { port = 8787, host, forward, ignore, strict }) => {
      const { terminal, print, signal } = app;
      const testing = await loadOptionalPackage('@modelwire/testing', terminal.cwd, () => import('@modelwire/testing'));
      const service = forward ? await app.settings() : undefined;
      const server = await testing
        .replay({
          ...{ file: resolve(terminal.cwd, file), port },
          ...(host !== undefined && { host }),
          ...(ignore && { ignore }),
          ...(service && { onDrift: 'forward', upstream: service.baseURL.value }),
          ...(service?.key && { apiKey: service.key.value }),
        })
        .catch((error: unknown) => {
          throw error instanceof testing.ScriptError ? usageError(error.message) : error;
        });
      try {
        const { baseURL } = server;
        if (print.json) await print.value({ base_url: baseURL });
        else await print.text(`Serving ${file} at ${baseURL}; any API key is accepted\n`);
        await untilStopped(terminal, signal);
        if (strict) server.assertAllReplayed();
      } catch (error) {
        if (!(error instanceof testing.UnmatchedRequestError)) throw error;
        print.error(error.message, undefined);
        app.exitCode = EXIT.unsuccessful;
      } finally {
        await server.close();
      }
    });
};
