import { resolve } from 'node:path';
import type { Define } from '../app.ts';
import { serveReplies, withAddressOptions } from '../serve-replies.ts';
import { withExamples } from '../subcommand.ts';

export const define: Define = (command, app) => {
  withAddressOptions(
    withExamples(command, {
      'Serve scripted replies': 'modelwire mock replies.yaml',
      'Use it in a test': 'modelwire mock replies.json --port 0 --strict --json',
    })
      .description(
        'Serves the complete API with replies from a file, to test programs in any language. Requires @modelwire/testing.',
      )
      .argument('<file>', 'File with replies in YAML or JSON'),
  )
    .option('--api-key <key>', 'API key that clients send (default: test-key)')
    .option('--strict', 'Exit with 10 if a request matched no reply, or a reply was never used')
    .action((file, { port = 8787, host, apiKey, strict }) =>
      serveReplies(app, {
        start: (testing) =>
          testing.serveReplies({
            ...{ repliesFile: resolve(app.terminal.cwd, file), port },
            ...(host !== undefined && { host }),
            ...(apiKey !== undefined && { apiKey }),
          }),
        announce: ({ baseURL, apiKey: key }) => ({
          value: { base_url: baseURL, api_key: key },
          text: `Serving ${file} at ${baseURL} with the API key ${key}`,
        }),
        check: strict && ((server) => server.assertAllUsed()),
      }),
    );
};
