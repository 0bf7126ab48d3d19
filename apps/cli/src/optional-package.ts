import { fileURLToPath } from 'node:url';
import { CliError } from './cli-error.ts';
import { EXIT } from './exit-codes.ts';

/**
 * Loads a package that is installed separately, which keeps the CLI small.
 *
 * @throws CliError that names the package and the command that installs it, when it is not installed.
 */
export async function loadOptionalPackage<T>(name: string, cwd: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    const isLocal = fileURLToPath(import.meta.url).startsWith(cwd);
    throw new CliError(
      EXIT.config,
      `This command requires the package ${name}, which is not installed.`,
      `Install it: npm install ${isLocal ? '' : '--global '}${name}`,
    );
  }
}

/** Whether the package itself is missing, rather than one of its own dependencies. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  );
}
