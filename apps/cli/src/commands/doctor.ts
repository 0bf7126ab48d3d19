import type { App, Define } from '../app.ts';
import { CliError } from '../cli-error.ts';
import { failed, skipped } from '../doctor/check.ts';
import { checkText } from '../doctor/check-text.ts';
import type { Check } from '../doctor/check.ts';
import { checkBaseURLSetting, checkConfigurationFile, checkKey } from '../doctor/configuration.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { withExamples } from '../subcommand.ts';

interface DoctorFlags {
  readonly model?: string;
  readonly chat: boolean;
}

export const define: Define = (command, app) => {
  withExamples(command, {
    'Diagnose the configured server': 'modelwire doctor',
    'Diagnose another server': 'modelwire doctor --base-url http://127.0.0.1:11434/v1 --no-chat',
  })
    .description(
      `Checks the configuration, the base URL, the network, the server, the API key and the model, and explains how to fix each problem. Sends a short chat request to the model. Exits with 10 if a check fails.`,
    )
    .option('-m, --model <model>', 'Model to test')
    .option('--no-chat', 'Do not request a chat completion')
    .action(async (flags) => {
      app.exitCode = await diagnose(app, flags);
      if (app.signal.aborted) app.exitCode = EXIT.interrupted;
    });
};

/** Runs the checks until one fails that the next ones depend on. */
async function diagnose(app: App, flags: DoctorFlags): Promise<ExitCode> {
  const { terminal, print, signal } = app;
  /** Prints checks, and returns whether none of them failed. */
  const report = async (...checks: readonly Check[]): Promise<boolean> => {
    for (const check of checks) {
      if (print.json) await print.value(check);
      else await print.raw(checkText(check, print.style));
    }
    return checks.every(({ status }) => status !== 'error');
  };
  await report(await checkConfigurationFile(terminal));
  const settings = await app.settings().catch((error: unknown) => {
    if (error instanceof CliError) return error;
    throw error;
  });
  if (settings instanceof CliError) {
    await report(failed('profile', settings.message, settings.hint ?? 'Correct the configuration file.'));
    return EXIT.unsuccessful;
  }
  if (!(await report(checkBaseURLSetting(settings), checkKey(settings)))) {
    await report(skipped('server', 'Not checked, because the configuration is invalid.'));
    return EXIT.unsuccessful;
  }
  const { checkChat, checkServer } = await import('../doctor/server.ts');
  const client = await app.client();
  const server = await checkServer(settings, client, signal);
  const isHealthy = await report(...server.checks);
  if (!server.isUsable || !flags.chat) return isHealthy ? EXIT.ok : EXIT.unsuccessful;
  const model = flags.model ?? settings.model?.value;
  const canChat = await report(...(await checkChat(model, server.models, client, signal)));
  return isHealthy && canChat ? EXIT.ok : EXIT.unsuccessful;
}
