import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { App, Define } from '../app.ts';
import { ask } from '../ask.ts';
import { configError, usageError } from '../cli-error.ts';
import { checkBaseURL } from '../config/base-url.ts';
import { configurationText } from '../init/configuration-text.ts';
import { findSources, withUniqueName } from '../init/find-sources.ts';
import type { Source } from '../init/source.ts';
import { loadOptionalPackage } from '../optional-package.ts';
import { collect } from '../option-values.ts';
import { withoutControls } from '../output/controls.ts';
import { withExamples } from '../subcommand.ts';

const defaultFile = 'modelwire.config.yaml';

interface InitFlags {
  readonly upstream?: readonly string[];
  readonly apiKeyEnv?: string;
  readonly gguf?: readonly string[];
  readonly output: string;
  readonly force?: true;
  readonly yes?: true;
}

export const define: Define = (command, app) => {
  withExamples(command, {
    'Choose among what is found': 'modelwire init',
    'Use everything that is found': 'modelwire init --yes',
    'Configure a provider': 'modelwire init --upstream https://api.example.com/v1 --api-key-env EXAMPLE_API_KEY',
  })
    .description(
      `Writes a configuration file for the server. Looks for model servers on this machine (Ollama, LM Studio, llama.cpp, vLLM), for GGUF files in this folder and in ./models, and for the keys of hosted providers in the environment. Keys are not written to the file, only the names of their variables. Without a terminal, it uses everything that is found. Requires @modelwire/server-app.`,
    )
    .option('--upstream <url>', 'Use this server instead of looking for models (repeatable)', collect)
    .option('--api-key-env <name>', 'Environment variable with the key of --upstream')
    .option('--gguf <file>', 'Use this GGUF file instead of looking for models (repeatable)', collect)
    .option('-o, --output <file>', 'File to write', defaultFile)
    .option('-f, --force', 'Overwrite the file')
    .option('-y, --yes', 'Use everything that is found, without a question')
    .action(async (flags) => {
      const { terminal, print } = app;
      await checkFile(terminal.cwd, flags);
      const given = givenSources(flags);
      const chosen = given.length > 0 ? given : await choose(app, await search(app), flags);
      const sources = chosen.map(withUniqueName);
      const text = configurationText(sources);
      await writeFile(resolve(terminal.cwd, flags.output), text, { flag: flags.force ? 'w' : 'wx' });
      if (print.json) await print.value({ path: resolve(terminal.cwd, flags.output), sources });
      else await print.text(`\n${text}\n`);
      for (const source of sources) {
        const variable = source.kind === 'upstream' ? source.apiKeyEnv : undefined;
        if (variable !== undefined && !terminal.env[variable])
          print.warn(`${variable} is not set. The server needs it.`);
      }
      if (sources.some(({ kind }) => kind === 'gguf'))
        print.note('GGUF files need a package: npm install node-llama-cpp');
      if (terminal.env['MODELWIRE_UPSTREAM_URL'])
        print.warn('MODELWIRE_UPSTREAM_URL is set. It replaces the upstreams of the file.');
      const config = flags.output === defaultFile ? '' : ` --config ${flags.output}`;
      print.note(`Wrote ${flags.output}. To start the server: modelwire serve${config}`);
    });
};

/** Fails if the file exists, or if the server would read another one in this folder. */
async function checkFile(cwd: string, { output, force }: InitFlags): Promise<void> {
  if (existsSync(resolve(cwd, output)) && !force)
    throw usageError(`${output} already exists.`, 'Overwrite it with --force.');
  const names = (await readdir(cwd)).filter((name) => /^modelwire\.config\.(m?[jt]s|json|ya?ml)$/.test(name));
  const other = names.find((name) => name !== output);
  if (output === defaultFile && other !== undefined)
    throw usageError(`${other} already exists, and the server may read it instead.`, 'Delete it, or use --output.');
}

function givenSources({ upstream = [], apiKeyEnv, gguf = [] }: InitFlags): readonly Source[] {
  if (apiKeyEnv !== undefined && upstream.length !== 1) throw usageError('--api-key-env needs one --upstream.');
  const nameOf = (url: string): string => new URL(checkBaseURL(url)).hostname;
  return [
    ...upstream.map((url): Source => ({
      kind: 'upstream',
      description: url,
      name: nameOf(url),
      baseURL: url,
      apiKeyEnv,
    })),
    ...gguf.map((path): Source => ({ kind: 'gguf', description: path, path })),
  ];
}

async function search({ terminal, print }: App): Promise<readonly Source[]> {
  const { ConfigError, describeLocalServer, findLocalServers, hostedProviders, readEnvironment } =
    await loadOptionalPackage('@modelwire/server-app', terminal.cwd, () => import('@modelwire/server-app'));
  print.note('Looking for models on this machine.');
  return findSources(terminal, hostedProviders, async () => {
    try {
      const { localServers } = readEnvironment(terminal.env);
      const servers = localServers === false ? [] : await findLocalServers({ localServers });
      return servers.map((server) => ({ ...server, description: describeLocalServer(server) }));
    } catch (error) {
      throw error instanceof ConfigError ? configError(error.message) : error;
    }
  });
}

/** The sources that the user chooses at a prompt; all of them without a terminal. */
async function choose(
  { terminal, print }: App,
  found: readonly Source[],
  { yes }: InitFlags,
): Promise<readonly Source[]> {
  const { isTTY, stderr } = terminal;
  if (found.length === 0) print.note('Found nothing: the server will reply with its simulator.');
  if (found.length === 0 || yes || !isTTY.stdin || !isTTY.stderr) return found;
  stderr.write(found.map(({ description }, index) => `  ${index + 1}  ${withoutControls(description)}\n`).join(''));
  for (;;) {
    const answer = await ask(terminal, 'Which ones? Numbers such as 1,3, or Enter for all: ');
    const numbers = answer.split(/[\s,]+/).filter((word) => word !== '');
    const chosen = numbers.map((number) => found[Number(number) - 1]);
    if (chosen.length === 0) return found;
    const known = chosen.filter((source) => source !== undefined);
    if (known.length === chosen.length) return known;
    stderr.write(`Expected numbers from 1 to ${found.length}.\n`);
  }
}
