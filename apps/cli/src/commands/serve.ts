import { defineCommand } from '../command.ts';
import { configFailure } from '../failure.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { untilStopped } from '../until-stopped.ts';

export const command = defineCommand({
  arguments: [],
  flags: {
    port: { type: 'string', short: 'p', value: 'number', description: 'default 8787 (PORT)' },
    host: { type: 'string', value: 'address', description: 'default 127.0.0.1 (HOST)' },
    config: {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'default ./modelwire.config.* (MODELWIRE_CONFIG)',
    },
  },
  description: `The Modelwire server, with an embedded model until it is given another. Its data is in ./.modelwire; commands of this program
that are run in the same folder find the key that it makes there.`,
  examples: [
    { what: 'With the embedded model', line: 'modelwire serve' },
    {
      what: 'In front of Ollama',
      line: 'MODELWIRE_UPSTREAM_URL=http://127.0.0.1:11434/v1 modelwire serve --port 9000',
    },
  ],
  async run({ flags, terminal, print, signal }) {
    const { banner, ConfigError, disablePretenuring, readSettings, start } = await loadOptionalPackage(
      '@modelwire/server-app',
      terminal.cwd,
      () => import('@modelwire/server-app'),
    );
    try {
      disablePretenuring();
      const running = await start(await readSettings(terminal.cwd, terminal.env, flags));
      if (print.json) await print.value({ url: running.url, base_url: `${running.url}/v1` });
      else await print.raw(banner(running, terminal.cwd));
      await untilStopped(terminal, signal);
      print.note('Stopping: requests that run are let end.');
      await running.stop();
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) throw configFailure(error.message);
      throw error;
    }
  },
});
