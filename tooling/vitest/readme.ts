import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compileFunction } from 'node:vm';
import { onTestFinished } from 'vitest';

/** The base URL that examples use, to be replaced by that of a test server. */
const exampleBaseURL = 'http://127.0.0.1:8787/v1';

/** Returns the code block at `index` of the package's README. `testUrl`: `import.meta.url` of a test in `src`. */
export async function readmeExample(testUrl: string, index = 0): Promise<string> {
  const readme = await readFile(new URL('../README.md', testUrl), 'utf8');
  const [, example] = [...readme.matchAll(/```ts\n([^]*?)```/g)][index] ?? [];
  if (example === undefined) throw new Error(`The README has no ts example number ${index}.`);
  return example;
}

export interface RunOptions {
  /** Default 0, the first `ts` block. */
  readonly index?: number;
  /** Replaces the base URL that examples use. */
  readonly baseURL?: string;
  /** Further texts to replace. Each must occur in the example. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs an example of the README in a process of its own, in the package's folder, and returns what it printed. */
export async function runReadmeExample(
  testUrl: string,
  { index, baseURL, replace, env }: RunOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  let script = await readmeExample(testUrl, index);
  for (const [text, other] of Object.entries({ ...(baseURL && { [exampleBaseURL]: baseURL }), ...replace })) {
    if (!script.includes(text)) throw new Error(`The example does not contain ${text}.`);
    script = script.replaceAll(text, () => other);
  }
  const flags = ['--no-warnings', '--input-type=module-typescript', '--eval', script];
  return promisify(execFile)(process.execPath, flags, {
    cwd: fileURLToPath(new URL('..', testUrl)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234', ...env },
  });
}

/** Writes the first example as a module next to the test, which imports `packageName` from source. Returns its URL, valid during the test. */
export async function readmeModule(testUrl: string, packageName: string): Promise<string> {
  const example = await readmeExample(testUrl);
  const file = new URL(`./readme-example-${process.pid}.ts`, testUrl);
  onTestFinished(() => rm(file));
  await writeFile(file, example.replaceAll(`'${packageName}'`, "'./index.ts'"));
  return file.href;
}

/** Runs an example, which must be JavaScript, in this process. `values` replace its imports and globals. Returns what it logged. */
export async function evaluateExample(
  example: string,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly (readonly unknown[])[]> {
  const logged: unknown[][] = [];
  const scope = { console: { log: (...logs: unknown[]) => logged.push(logs) }, ...values };
  const body = `return (async () => {${example.replaceAll(/^import .*$/gm, '')}})()`;
  const run: unknown = compileFunction(body, Object.keys(scope));
  if (typeof run === 'function') await Reflect.apply(run, undefined, Object.values(scope));
  return logged;
}
