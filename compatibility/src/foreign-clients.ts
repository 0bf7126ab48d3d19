import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf, run } from './run.ts';
import type { TestServer } from './server.ts';

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Runs the program `java/` with the official Java SDK. Skipped without a JDK and Maven. */
export async function runJavaClient(server: TestServer): Promise<boolean> {
  if (!(await isInstalled('java', '-version')) || !(await isInstalled('mvn', '--version'))) {
    console.log('Skipped: there is no JDK or no Maven.');
    return true;
  }
  const build = folder('.openai-java');
  await mkdir(build, { recursive: true });
  const classpath = join(build, 'classpath.txt');
  const maven = ['--quiet', '--batch-mode', `-DbuildFolder=${build}`, 'dependency:build-classpath'];
  if (!(await run('mvn', [...maven, `-Dmdep.outputFile=${classpath}`], { cwd: folder('java') }))) return false;
  const jars = (await readFile(classpath, 'utf8')).trim();
  // Java runs a single source file without a build.
  return run('java', ['-cp', jars, join(folder('java'), 'Clients.java')], { env: environment(server) });
}

/** Runs the program `rust/` with async-openai. Skipped without cargo. */
export async function runRustClient(server: TestServer): Promise<boolean> {
  if (!(await isInstalled('cargo', '--version'))) {
    console.log('Skipped: there is no cargo.');
    return true;
  }
  const env = { ...environment(server), CARGO_TARGET_DIR: folder('.async-openai') };
  return run('cargo', ['run', '--quiet', '--locked'], { cwd: folder('rust'), env });
}

async function isInstalled(program: string, flag: string): Promise<boolean> {
  return (await outputOf(program, [flag], { timeoutMs: 30_000 })).code === 0;
}

function environment({ url, key }: TestServer): Readonly<Record<string, string>> {
  return { MODELWIRE_URL: url, MODELWIRE_API_KEY: key };
}
