import { CliError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { modelFlag } from '../model-flag.ts';
import { failed, skipped } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';
import { checkBaseURLSetting, checkConfigurationFile, checkKey } from '../doctor/configuration.ts';
import { EXIT } from '../exit-codes.ts';
import { withoutControls } from '../output/controls.ts';

const MARKS = { ok: '✓', warning: '!', error: '✗', skipped: '-' } as const;
const COLORS = { ok: 'green', warning: 'yellow', error: 'red', skipped: 'dim' } as const;

export const command = defineCommand({
  arguments: [],
  flags: {
    model: modelFlag('Model to test'),
    'no-chat': { type: 'boolean', description: 'Do not request a chat completion' },
  },
  description: `Checks the configuration, the base URL, the network, the server, the API key and the model, and explains how to fix each problem. Sends a
short chat request to the model. Exits with 10 if a check fails.`,
  examples: [
    { what: 'Diagnose the configured server', line: 'modelwire doctor' },
    { what: 'Diagnose another server', line: 'modelwire doctor --base-url http://127.0.0.1:11434/v1 --no-chat' },
  ],
  async run(context) {
    const { flags, terminal, print, signal } = context;
    const checks: Check[] = [];
    const report = async (...results: readonly Check[]): Promise<void> => {
      for (const check of results) {
        checks.push(check);
        if (print.json) await print.value(check);
        else await print.raw(textOf(check));
      }
    };
    const hasFailed = (): boolean => checks.some(({ status }) => status === 'error');

    await report(await checkConfigurationFile(terminal));
    const settings = await context.settings().catch((error: unknown) => {
      if (error instanceof CliError) return error;
      throw error;
    });
    if (settings instanceof CliError) {
      await report(failed('profile', settings.message, settings.hint ?? 'Correct the configuration file.'));
      return EXIT.unsuccessful;
    }
    await report(checkBaseURLSetting(settings), checkKey(settings));
    if (hasFailed()) {
      await report(skipped('server', 'Not checked, because the configuration is invalid.'));
      return EXIT.unsuccessful;
    }
    const { checkNetwork } = await import('../doctor/network.ts');
    await report(await checkNetwork(settings.baseURL.value, signal));
    if (isInterrupted()) return EXIT.interrupted;
    if (hasFailed()) return EXIT.unsuccessful;
    const { checkChat, checkServer } = await import('../doctor/server.ts');
    const transport = await context.transport();
    const server = await checkServer(settings, transport, signal);
    await report(...server.checks);
    const model = flags.model ?? settings.model?.value;
    if (server.isUsable && !flags['no-chat'])
      await report(...(await checkChat(model, server.models, transport, signal)));
    if (isInterrupted()) return EXIT.interrupted;
    return hasFailed() ? EXIT.unsuccessful : undefined;

    /** A function, because TypeScript narrows a property that was checked once. */
    function isInterrupted(): boolean {
      return signal.aborted;
    }
    function textOf({ name, status, message, fix }: Check): string {
      const { style } = print;
      const line = `${style(COLORS[status], MARKS[status])} ${name.padEnd(14)} ${withoutControls(message)}\n`;
      return line + (fix === undefined ? '' : `  ${' '.repeat(14)} ${style('bold', `→ ${withoutControls(fix)}`)}\n`);
    }
  },
});
