import { consoleFiles } from '@modelwire/server/console';
import type { ConsoleFiles, ModelwireServer } from '@modelwire/server';

/** The files of the optional package `@modelwire/console`; none if it is not installed or was not built. */
export async function loadConsoleFiles(): Promise<ConsoleFiles> {
  // Not a literal: the package is optional, also when this one is compiled.
  const name = '@modelwire/console';
  try {
    const loaded: unknown = await import(name);
    return consoleFiles(directoryOf(loaded));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return consoleFiles(undefined);
    throw error;
  }
}

/** The address of the console, with a one-time code in its fragment, which browsers do not send to servers. */
export async function createConsoleUrl(server: ModelwireServer, url: string, key: string): Promise<string> {
  const code = await server.createSignInCode(key);
  const address = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  return `${address}/console/${code === undefined ? '' : `#code=${code}`}`;
}

function directoryOf(loaded: unknown): URL | undefined {
  if (typeof loaded !== 'object' || loaded === null || !('consoleDirectory' in loaded)) return undefined;
  return loaded.consoleDirectory instanceof URL ? loaded.consoleDirectory : undefined;
}
