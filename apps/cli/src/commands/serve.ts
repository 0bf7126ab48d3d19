import type { Define } from '../app.ts';
import { configError } from '../cli-error.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { withExamples } from '../subcommand.ts';
import { untilStopped } from '../until-stopped.ts';

export const define: Define = (command, { terminal, print, signal }) => {
  withExamples(command, {
    'Serve the embedded model': 'modelwire serve',
    'Proxy Ollama': 'MODELWIRE_UPSTREAM_URL=http://127.0.0.1:11434/v1 modelwire serve --port 9000',
  })
    .description(
      `Starts the Modelwire server with an embedded model, or in front of other servers. Stores its data in ./.modelwire. Other modelwire commands in the same folder use the API key that it creates there. Requires @modelwire/server-app.`,
    )
    .option('-p, --port <number>', 'Port (PORT; default: 8787)')
    .option('--host <address>', 'Address (HOST; default: 127.0.0.1)')
    .option('--config <file>', 'Configuration file (MODELWIRE_CONFIG; default: ./modelwire.config.*)')
    .action(async (flags) => {
      const { banner, ConfigError, readSettings, startServer } = await loadOptionalPackage(
        '@modelwire/server-app',
        terminal.cwd,
        () => import('@modelwire/server-app'),
      );
      try {
        const running = await startServer(await readSettings(terminal.cwd, terminal.env, flags), {
          print: (text) => terminal.stderr.write(text),
        });
        const { url, consoleUrl = null } = running;
        if (print.json) await print.value({ url, base_url: `${url}/v1`, console_url: consoleUrl });
        else await print.raw(banner(running, terminal.cwd));
        await untilStopped(terminal, signal);
        print.note('Stopping. Waiting for requests in progress.');
        await running.stop();
      } catch (error) {
        if (error instanceof ConfigError) throw configError(error.message);
        throw error;
      }
    });
};
