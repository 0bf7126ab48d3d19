import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNpmProgram } from './npm-program.ts';
import { outputOf } from './run.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

const version = '0.171.0';

const marker = 'modelwire-ran-this';
const prompt = `Call the tool exec_command with cmd "echo ${marker}"`;

/** The least that Codex needs to know: a provider of its own over HTTP, and its built-in provider, which prefers a WebSocket. */
const configurations: Readonly<Record<string, (server: TestServer) => string>> = {
  'a provider': ({ url }) => `
model_provider = "modelwire"
model = "gpt-5.1-codex"
[model_providers.modelwire]
name = "Modelwire"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
`,
  'the built-in provider at another URL': ({ url }) => `
model = "gpt-5.1-codex"
openai_base_url = "${url}/v1"
`,
};

/** Runs `codex exec` with a tool call: Codex runs the command that the model asks for, and sends its output back. */
export async function runCodex(): Promise<boolean> {
  const program = await installNpmProgram({ package: '@openai/codex', version, program: 'codex' });
  if (program === undefined) return false;
  const server = await startServer('*=simulator');
  let passed = true;
  try {
    for (const [name, configuration] of Object.entries(configurations)) {
      const problem = await problemOf(program, configuration(server), server.key);
      console.log(problem === undefined ? `Codex ${version} with ${name} ran a tool.` : `With ${name}: ${problem}`);
      passed &&= problem === undefined;
    }
  } finally {
    await server.stop();
  }
  return passed;
}

async function problemOf(program: string, configuration: string, key: string): Promise<string | undefined> {
  const home = await mkdtemp(join(tmpdir(), 'modelwire-codex-'));
  try {
    await writeFile(join(home, 'config.toml'), configuration);
    // The sandbox of commands depends on the machine. The other options keep Codex from calling home.
    const options = ['--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access'];
    const offline = ['-c', 'analytics.enabled=false', '-c', 'check_for_update_on_startup=false'];
    const { code, output } = await outputOf(program, ['exec', ...options, ...offline, prompt], {
      cwd: home,
      env: { HOME: home, CODEX_HOME: home, OPENAI_API_KEY: key, CODEX_API_KEY: key },
      timeoutMs: 120_000,
    });
    const events = output.split('\n').filter((line) => line.startsWith('{'));
    const ranTool = events.some((line) => line.includes('"command_execution"') && line.includes(`${marker}\\n`));
    const completed = events.some((line) => line.includes('"turn.completed"'));
    return code === 0 && ranTool && completed ? undefined : `exit code ${code}\n${output}`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
