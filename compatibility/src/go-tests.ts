import { existsSync } from 'node:fs';
import { chmod, cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRealIdProxy } from './real-id-proxy.ts';
import type { Refusal } from './real-id-proxy.ts';
import { outputOf } from './run.ts';
import { startServer } from './server.ts';

const version = 'v3.99.0';
const copied = fileURLToPath(new URL(`../.openai-go/${version}`, import.meta.url));

/** The generated tests for the resources of this server. The others need a mock server with the whole API. */
const tests =
  /^(?:batch|chatcompletion|chatcompletionmessage|completion|embedding|file|model|moderation|upload|uploadpart|video|usage|paginationauto|paginationmanual)_test\.go$/;

/** Why a generated test fails: each entry is a rule of the interface, or an endpoint that is not served. */
interface Rule {
  /** Method and path. */
  readonly request: RegExp;
  readonly status: number;
  readonly param?: string;
  readonly because: string;
}

const rules: readonly Rule[] = [
  { request: /^DELETE \/models\/.+$/, status: 405, because: 'Models are not deleted over HTTP.' },
  {
    request: /^POST \/videos\/characters$/,
    status: 405,
    because: 'Characters are not served.',
  },
  {
    request: /^GET \/videos\/characters\/.+$/,
    status: 404,
    because: 'Characters are not served.',
  },
  {
    request: /^POST \/videos\/(?:edits|extensions)$/,
    status: 400,
    param: 'video',
    because: '`video` is an MP4 file; the bytes sent are not.',
  },
  {
    request: /^POST \/videos$/,
    status: 400,
    param: 'input_reference',
    because: '`input_reference` is an image; the bytes sent are not.',
  },
  {
    request: /^POST \/uploads\/.+\/complete$/,
    status: 400,
    param: 'md5',
    because: "`md5` is a checksum: 32 hexadecimal digits; 'md5' is sent.",
  },
  {
    request: /^POST \/chat\/completions$/,
    status: 400,
    param: 'max_tokens',
    because: '`max_tokens` is at least 1; 0 is sent.',
  },
  {
    request: /^GET \/(?:batches|files|videos|chat\/completions(?:\/.+\/messages)?)$/,
    status: 400,
    param: 'limit',
    because: '`limit` is at least 1; 0 is sent.',
  },
  {
    request: /^POST \/completions$/,
    status: 400,
    param: 'best_of',
    because: '`best_of` is at least 1; 0 is sent.',
  },
  { request: /^GET \/fine_tuning\/jobs$/, status: 404, because: 'Fine-tuning is not served.' },
];

/**
 * Runs the generated tests of the official Go SDK. A failure is expected only where a rule explains the response. Skipped without Go.
 */
export async function runGoTests(): Promise<boolean> {
  const go = await goProgram();
  if (go === undefined) {
    console.log('Skipped: there is no Go.');
    return true;
  }
  if (!existsSync(copied) && !(await copySources(go))) return false;
  const server = await startServer('sora-2=storyboard,*=simulator');
  const proxy = await startRealIdProxy(server);
  try {
    const args = ['test', '-json', '-vet=off', '-count=1', '-p=1', '.'];
    const env = { TEST_API_BASE_URL: `${proxy.url}/v1` };
    const { output } = await outputOf(go, args, { cwd: copied, env, timeoutMs: 600_000 });
    return report(output, proxy.refusals);
  } finally {
    await proxy.stop();
    await server.stop();
  }
}

async function goProgram(): Promise<string | undefined> {
  for (const program of ['go', '/usr/local/go/bin/go']) {
    const { code } = await outputOf(program, ['version'], { timeoutMs: 10_000 });
    if (code === 0) return program;
  }
  return undefined;
}

/** The module without its other tests, which would take most of the time to compile. */
async function copySources(go: string): Promise<boolean> {
  const module = `github.com/openai/openai-go/v3@${version}`;
  const { code, output } = await outputOf(go, ['mod', 'download', '-json', module], { timeoutMs: 120_000 });
  const downloaded: unknown = code === 0 ? JSON.parse(output) : undefined;
  if (typeof downloaded !== 'object' || !downloaded || !('Dir' in downloaded) || typeof downloaded.Dir !== 'string') {
    console.error(`The module ${module} could not be downloaded.\n${output}`);
    return false;
  }
  await cp(downloaded.Dir, copied, { recursive: true });
  // The cache of modules is read-only.
  await chmod(copied, 0o755);
  for (const name of await readdir(copied)) {
    if (name.endsWith('_test.go') && !tests.test(name)) await rm(join(copied, name), { force: true });
  }
  return true;
}

/**
 * Prints what passed and why other tests failed. The SDK leaves requests out of its errors: each test fails at its only refusal, and tests run
 * one after the other. Returns whether rules explain all failures, and every rule explains one.
 */
function report(output: string, refusals: readonly Refusal[]): boolean {
  const events = output.split('\n').flatMap((line) => eventOf(line) ?? []);
  const testsWith = (action: string) =>
    events.flatMap(({ Action, Test = '' }) => (Action === action && Test !== '' ? [Test] : []));
  const passed = testsWith('pass');
  const failed = testsWith('fail');
  if (passed.length === 0 || failed.length !== refusals.length) {
    console.error(output);
    console.error(`${failed.length} tests failed, but ${refusals.length} requests were refused:`, refusals);
    return false;
  }
  const explained = new Map<Rule, number>();
  const unexplained = refusals.flatMap((refusal, index) => {
    const rule = rules.find((each) => explains(each, refusal));
    if (rule) explained.set(rule, (explained.get(rule) ?? 0) + 1);
    return rule ? [] : [`${failed[index]}: ${refusal.request} ${refusal.status} ${refusal.message}`];
  });
  console.log(`${passed.length} tests passed, ${failed.length} were refused by a rule of the interface:`);
  for (const rule of rules)
    console.log(`${explained.get(rule) ?? 0} ${rule.request.source} ${rule.status}: ${rule.because}`);
  for (const failure of unexplained) console.error(failure);
  const unused = rules.filter((rule) => !explained.has(rule));
  for (const { request } of unused) console.error(`The rule ${request.source} explains no failure: remove it.`);
  return unexplained.length === 0 && unused.length === 0;
}

function explains(rule: Rule, { request, status, param }: Refusal): boolean {
  return rule.request.test(request) && rule.status === status && (rule.param === undefined || rule.param === param);
}

interface TestEvent {
  readonly Action?: string;
  readonly Test?: string;
}

/** A line of `go test -json`; it also prints lines that are not JSON. */
function eventOf(line: string): TestEvent | undefined {
  return line.startsWith('{') ? (JSON.parse(line) as TestEvent) : undefined;
}
