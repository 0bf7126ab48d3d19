import { resolve } from 'node:path';
import type { Define } from '../app.ts';
import { collect } from '../option-values.ts';
import { serveReplies, withAddressOptions } from '../serve-replies.ts';
import { withExamples } from '../subcommand.ts';

export const define: Define = (command, app) => {
  withAddressOptions(
    withExamples(command, {
      'Serve recorded responses': 'modelwire replay recording.yaml',
      'Forward other requests to a server, and record them':
        'modelwire replay recording.yaml --forward --base-url http://127.0.0.1:8787/v1',
    })
      .description(
        'Serves the responses of a recording, the same ones for the same requests. Other requests get an error with the differences. Requires @modelwire/testing, whose tests read the same recordings.',
      )
      .argument('<file>', 'Recording in YAML'),
  )
    .option('--forward', 'Forward other requests to the configured server, and record them when it stops')
    .option('--ignore <path>', 'Part of requests that may differ, such as body.seed (repeatable)', collect)
    .option('--strict', 'Exit with 10 if a request was not recorded, or a response was never requested')
    .action(async (file, { port = 8787, host, forward, ignore, strict }) => {
      const service = forward ? await app.settings() : undefined;
      await serveReplies(app, {
        start: (testing) =>
          testing.replay({
            ...{ file: resolve(app.terminal.cwd, file), port },
            ...(host !== undefined && { host }),
            ...(ignore && { ignore }),
            ...(service && { onDrift: 'forward', upstream: service.baseURL.value }),
            ...(service?.key && { apiKey: service.key.value }),
          }),
        announce: ({ baseURL }) => ({
          value: { base_url: baseURL },
          text: `Serving ${file} at ${baseURL}; any API key is accepted`,
        }),
        check: strict && ((server) => server.assertAllReplayed()),
      });
    });
};
