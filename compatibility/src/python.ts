import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** The folder of the Python suites. */
export const pythonFolder = fileURLToPath(new URL('../python', import.meta.url));

/** Requirements to install the others with. */
const installer = join(pythonFolder, 'requirements-installer.txt');

interface Environment {
  readonly folder: string;
  readonly requirements: string;
  /** Packages whose dependencies are not needed. */
  readonly withoutDependencies?: string;
}

const inFolder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Makes the virtual environment of the suites unless it is up to date with the requirements. Returns the folder of its programs. */
export const preparePython = (): Promise<string> =>
  prepare({
    folder: inFolder('.venv'),
    requirements: join(pythonFolder, 'requirements.txt'),
    withoutDependencies: join(pythonFolder, 'requirements-without-dependencies.txt'),
  });

/** Makes the virtual environment of LiteLLM's proxy, some 750 MB. Returns the folder of its programs. */
export const prepareLiteLlm = (): Promise<string> =>
  prepare({ folder: inFolder('.venv-litellm'), requirements: join(pythonFolder, 'requirements-litellm-proxy.txt') });

async function prepare({ folder, requirements, withoutDependencies }: Environment): Promise<string> {
  const programs = join(folder, 'bin');
  const installed = join(folder, 'requirements.txt');
  const files = [installer, requirements, ...(withoutDependencies === undefined ? [] : [withoutDependencies])];
  const wanted = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  if (existsSync(installed) && (await readFile(installed, 'utf8')) === wanted) return programs;
  await rm(folder, { recursive: true, force: true });
  await required(['python3', '-m', 'venv'], [folder]);
  const install = await installCommand(programs);
  await required(install, ['--requirement', requirements]);
  if (withoutDependencies !== undefined) await required(install, ['--no-deps', '--requirement', withoutDependencies]);
  await writeFile(installed, wanted);
  return programs;
}

/**
 * uv, which takes a tenth of the time of pip; or pip, where uv cannot be installed or cannot reach the package index, which only pip may know.
 * The suites run with PYTHONDONTWRITEBYTECODE: without `--compile-bytecode`, each of their processes would compile what it imports.
 */
async function installCommand(programs: string): Promise<readonly string[]> {
  const python = join(programs, 'python');
  const pip = [python, '-m', 'pip', 'install', '--quiet'];
  const uv = [join(programs, 'uv'), 'pip', 'install', '--quiet', '--system-certs', '--python', python];
  const hasUv =
    (await runs(pip, ['--only-binary', ':all:', '--requirement', installer])) &&
    (await runs(uv, ['--dry-run', '--no-deps', '--reinstall', '--requirement', installer]));
  return hasUv ? [...uv, '--compile-bytecode'] : pip;
}

const runs = ([program = '', ...options]: readonly string[], args: readonly string[]): Promise<boolean> =>
  run(program, [...options, ...args]);

async function required(command: readonly string[], args: readonly string[]): Promise<void> {
  if (!(await runs(command, args))) throw new Error(`${[...command, ...args].join(' ')} failed.`);
}
