import { defineCommand } from '../command.ts';
import { configError } from '../cli-error.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { untilStopped } from '../until-stopped.ts';

export const command = defineCommand({
  arguments: [],
  flags: {
    port: { type: 'string', short: 'p', value: 'number', description: 'Port (PORT; default: 8787)' },
    host: { type: 'string', value: 'address', description: 'Address (HOST; default: 127.0.0.1)' },
    config: {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'Configuration file (MODELWIRE_CONFIG; default: ./modelwire.config.*)',
    },
  },
  description: `Starts the Modelwire server with an embedded model, or in front of other servers. Stores its data in ./.modelwire. Other modelwire
commands in the same folder use the API key that it creates there. Requires @modelwire/server-app.`,
  examples: [
    { what: 'Serve the embedded model', line: 'modelwire serve' },
    { what: 'Proxy Ollama', line: 'MODELWIRE_UPSTREAM_URL=http://127.0.0.1:11434/v1 modelwire serve --port 9000' },
  ],
  async run({ flags, terminal, print, signal }) {
    const { banner, ConfigError, readSettings, startServer } = await loadOptionalPackage(
      '@modelwire/server-app',
      terminal.cwd,
      () => import('@modelwire/server-app'),
    );
    try {
      const running = await startServer(await readSettings(terminal.cwd, terminal.env, flags), {
        print: (text) => terminal.stderr.write(text),
      });
      if (print.json)
        await print.value({ url: running.url, base_url: `${running.url}/v1`, console_url: running.consoleUrl ?? null });
      else await print.raw(banner(running, terminal.cwd));
      await untilStopped(terminal, signal);
      print.note('Stopping. Waiting for requests in progress.');
      await running.stop();
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) throw configError(error.message);
      throw error;
    }
  },
});
