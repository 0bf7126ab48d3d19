import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNpmProgram } from './npm-program.ts';
import { outputOf } from './run.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

const version = '2.1.332';
const marker = 'modelwire-ran-this';

interface Scenario {
  readonly prompt: string;
  readonly options: readonly string[];
  /** What the output contains. */
  readonly expected: readonly string[];
}

/** With all of its tools, the simulator would call one that starts further agents. */
const scenarios: Readonly<Record<string, Scenario>> = {
  'a question': { prompt: 'Hello', options: ['--tools', ''], expected: ['Modelwire simulator'] },
  'a tool': {
    prompt: `Call the tool Bash with command "echo ${marker}"`,
    options: ['--tools', 'Bash', '--allowedTools', 'Bash', '--max-turns', '4'],
    expected: ['"tool_use"', `"stdout":"${marker}"`],
  },
};

/** Runs `claude --print`: a question, and a command that the model asks for. */
export async function runClaudeCode(): Promise<boolean> {
  const program = await installNpmProgram({ package: '@anthropic-ai/claude-code', version, program: 'claude' });
  if (program === undefined) return false;
  const server = await startServer('*=simulator');
  let passed = true;
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const problem = await problemOf(program, scenario, server);
      console.log(problem === undefined ? `Claude Code ${version} with ${name} passed.` : `With ${name}: ${problem}`);
      passed &&= problem === undefined;
    }
  } finally {
    await server.stop();
  }
  return passed;
}

async function problemOf(
  program: string,
  { prompt, options, expected }: Scenario,
  { url, key }: TestServer,
): Promise<string | undefined> {
  const home = await mkdtemp(join(tmpdir(), 'modelwire-claude-'));
  try {
    const args = ['--print', prompt, '--output-format', 'stream-json', '--verbose', ...options];
    const { code, output } = await outputOf(program, args, {
      cwd: home,
      env: {
        HOME: home,
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: 'simulator',
        // It calls no other server.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      timeoutMs: 120_000,
    });
    const missing = expected.filter((text) => !output.includes(text));
    return code === 0 && missing.length === 0 ? undefined : `exit code ${code}\n${output}`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
