import { resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { usageFailure } from '../failure.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { untilStopped } from '../until-stopped.ts';

export const command = defineCommand({
  arguments: [{ name: 'replies', optional: true, completes: 'file', description: 'the file of replies, YAML or JSON' }],
  flags: {
    replies: { type: 'string', value: 'file', completes: 'file', description: 'the same' },
    port: { type: 'integer', short: 'p', value: 'number', min: 0, max: 65_535, description: 'default 8787; 0 for any' },
    host: { type: 'string', value: 'address', description: 'default 127.0.0.1' },
    'api-key': { type: 'string', value: 'key', description: 'API key that clients send (default: test-key)' },
    strict: { type: 'boolean', description: 'end with 10 when a request found no reply, or a reply was not used' },
  },
  description: `The whole interface, with replies from a file: to test a program in any language. The key is for tests, and no secret.`,
  examples: [
    { what: 'Scripted replies', line: 'modelwire mock --replies replies.yaml' },
    { what: 'In a test of another program', line: 'modelwire mock replies.json --port 0 --strict --json' },
  ],
  async run({ args: [given], flags, terminal, print, signal }) {
    const file = flags.replies ?? given;
    if (file === undefined) throw usageFailure('Which replies?', 'modelwire mock --replies <file>');
    const { ScriptError, serveReplies, UnusedError } = await loadOptionalPackage(
      '@modelwire/testing',
      terminal.cwd,
      () => import('@modelwire/testing'),
    );
    const { port = 8787, host, 'api-key': apiKey } = flags;
    const server = await serveReplies({
      repliesFile: resolve(terminal.cwd, file),
      port,
      ...(host !== undefined && { host }),
      ...(apiKey !== undefined && { apiKey }),
    }).catch((error: unknown) => {
      throw error instanceof ScriptError ? usageFailure(error.message) : error;
    });
    try {
      const { baseURL, apiKey: key } = server;
      if (print.json) await print.value({ base_url: baseURL, api_key: key });
      else await print.text(`Replies of ${file} at ${baseURL}, key ${key}\n`);
      await untilStopped(terminal, signal);
      if (flags.strict) server.assertAllUsed();
      return undefined;
    } catch (error) {
      if (!(error instanceof UnusedError)) throw error;
      print.error(error.message, undefined);
      return EXIT.bad;
    } finally {
      await server.close();
    }
  },
});
