import { resolve } from 'node:path';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { untilStopped } from '../until-stopped.ts';

export const command = defineCommand({
  arguments: [{ name: 'replies', completes: 'file', description: 'File with replies in YAML or JSON' }],
  flags: {
    port: {
      type: 'integer',
      short: 'p',
      value: 'number',
      min: 0,
      max: 65_535,
      description: 'Port (default: 8787); 0 for any free port',
    },
    host: { type: 'string', value: 'address', description: 'Address (default: 127.0.0.1)' },
    'api-key': { type: 'string', value: 'key', description: 'API key that clients send (default: test-key)' },
    strict: {
      type: 'boolean',
      description: 'Exit with 10 if a request matched no reply, or a reply was never used',
    },
  },
  description: `Serves the complete API with replies from a file, to test programs in any language. Requires @modelwire/testing.`,
  examples: [
    { what: 'Serve scripted replies', line: 'modelwire mock replies.yaml' },
    { what: 'Use it in a test', line: 'modelwire mock replies.json --port 0 --strict --json' },
  ],
  async run({ args: [file = ''], flags, terminal, print, signal }) {
    const testing = await loadOptionalPackage('@modelwire/testing', terminal.cwd, () => import('@modelwire/testing'));
    const { port = 8787, host, 'api-key': apiKey } = flags;
    const server = await testing
      .serveReplies({
        repliesFile: resolve(terminal.cwd, file),
        port,
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
      if (flags.strict) server.assertAllUsed();
      return undefined;
    } catch (error) {
      if (!(error instanceof testing.UnmatchedRequestError)) throw error;
      print.error(error.message, undefined);
      return EXIT.unsuccessful;
    } finally {
      await server.close();
    }
  },
});
