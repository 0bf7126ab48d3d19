import type { Command, OptionValues } from '@commander-js/extra-typings';
import type * as testingPackage from '@modelwire/testing';
import type { App } from './app.ts';
import { usageError } from './cli-error.ts';
import { EXIT } from './exit-codes.ts';
import { numberFrom } from './option-values.ts';
import { loadOptionalPackage } from './optional-package.ts';
import { untilStopped } from './until-stopped.ts';

type Testing = typeof testingPackage;

/** A server of `@modelwire/testing` and what a command does with it. */
interface RepliesServer<Server> {
  start(testing: Testing): Promise<Server>;
  /** What is printed when it listens: as JSON, or as text. */
  announce(server: Server): { readonly value: object; readonly text: string };
  /** Called when it is stopped. @throws the error of `@modelwire/testing` for a reply that was not used or is missing. */
  readonly check: ((server: Server) => void) | undefined;
}

/** Adds the address of a server with replies from a file. */
export function withAddressOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .option(
      '-p, --port <number>',
      'Port (default: 8787); 0 for any free port',
      numberFrom({ min: 0, max: 65_535, isInteger: true }),
    )
    .option('--host <address>', 'Address (default: 127.0.0.1)');
}

/** Serves replies from a file until the program is stopped. Exits with 10 if `check` throws. */
export async function serveReplies<Server extends { close(): Promise<void> }>(
  app: App,
  { start, announce, check }: RepliesServer<Server>,
): Promise<void> {
  const { terminal, print, signal } = app;
  const testing = await loadOptionalPackage('@modelwire/testing', terminal.cwd, () => import('@modelwire/testing'));
  const server = await start(testing).catch((error: unknown) => {
    throw error instanceof testing.ScriptError ? usageError(error.message) : error;
  });
  try {
    const { value, text } = announce(server);
    if (print.json) await print.value(value);
    else await print.text(`${text}\n`);
    await untilStopped(terminal, signal);
    check?.(server);
  } catch (error) {
    if (!(error instanceof testing.UnmatchedRequestError)) throw error;
    print.error(error.message, undefined);
    app.exitCode = EXIT.unsuccessful;
  } finally {
    await server.close();
  }
}
