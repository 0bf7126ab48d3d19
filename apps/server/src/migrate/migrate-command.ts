import { parseArgs } from 'node:util';
import { isRecord } from '@modelwire/adapter-kit';
import { stringify } from 'yaml';
import type * as z from 'zod';
import { pathArgument } from '../commands/path-argument.ts';
import { ConfigError } from '../config/config-error.ts';
import { describeProblems, readDataFile } from '../config/data-file.ts';
import type { FileContents } from '../config/data-file.ts';
import { liteLLMFile } from './litellm-file.ts';
import { portkeyFile } from './portkey-file.ts';
import { translateLiteLLM } from './translate-litellm.ts';
import { translatePortkey } from './translate-portkey.ts';
import type { Translation } from './translation.ts';

const migrateHelp = `modelwire-server migrate: translates the configuration of LiteLLM or Portkey

Usage:
  modelwire-server migrate <file>   print the configuration of Modelwire with the same models

Options:
  --model <id>   a model ID that clients request, if a config of Portkey does not name it; repeatable

What has no counterpart is listed in comments at the start.
`;

/** Returns the text of a configuration file, or the help. @throws ConfigError if the file is no configuration that can be translated. */
export async function migrate(args: readonly string[], cwd: string): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { model: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return migrateHelp;
  const path = pathArgument(positionals, cwd, migrateHelp);
  const { config, notes } = translate(path, await readFile(path), values.model ?? []);
  const comments = notes.map((note) => `# - ${note}\n`);
  const header = comments.length > 0 ? `# Not translated:\n${comments.join('')}\n` : '';
  const packages = new Set(config.providers?.map((provider) => provider.package));
  const install =
    packages.size > 0 ? `# Install the packages of providers: npm install ${[...packages].join(' ')}\n` : '';
  return `# From ${path}, by modelwire-server migrate.\n${install}${header}${stringify(config, { lineWidth: 0 })}`;
}

function translate(path: string, file: FileContents, ids: readonly string[]): Translation {
  const has = (...names: string[]) => names.some((name) => isRecord(file.contents) && name in file.contents);
  if (has('model_list', 'router_settings', 'litellm_settings', 'general_settings'))
    return translateLiteLLM(checked(path, file, liteLLMFile, 'LiteLLM'));
  if (has('strategy', 'targets', 'provider', 'virtual_key'))
    return translatePortkey(checked(path, file, portkeyFile, 'Portkey'), ids);
  throw new ConfigError(
    `${path} is neither a configuration of LiteLLM (no model_list) nor one of Portkey (no provider, and no strategy with targets).`,
  );
}

async function readFile(path: string): Promise<FileContents> {
  try {
    return await readDataFile(path);
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checked<File>(path: string, file: FileContents, schema: z.ZodType<File>, gateway: string): File {
  const parsed = schema.safeParse(file.contents);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    `${path} is not a configuration of ${gateway}:\n${describeProblems(parsed.error, file, schema)}`,
  );
}
