import { readFileSync } from 'node:fs';
import { problemOf } from '@modelwire/schema';
import { parse, stringify } from 'yaml';
import { ConfigError } from '../config/config-error.ts';
import { liteLLMFile } from './litellm-file.ts';
import { translateLiteLLM } from './translate-litellm.ts';

export const migrateHelp = `modelwire-server migrate: translates the configuration of LiteLLM

Usage:
  modelwire-server migrate <config.yaml>   print the configuration of Modelwire with the same models

What has no counterpart is listed in comments at the start.
`;

/** Returns the text of a configuration file. @throws ConfigError if the file is not a configuration of LiteLLM. */
export function migrate(path: string): string {
  const { config, notes } = translateLiteLLM(readLiteLLMFile(path));
  const comments = notes.map((note) => `# - ${note}\n`);
  const header = comments.length > 0 ? `# Not translated:\n${comments.join('')}\n` : '';
  return `# From ${path}, by modelwire-server migrate.\n${header}${stringify(config, { lineWidth: 0 })}`;
}

function readLiteLLMFile(path: string) {
  let contents: unknown;
  try {
    contents = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = liteLLMFile.safeParse(contents);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`${path} is not a configuration of LiteLLM: ${problemOf(parsed.error, contents).message}`);
}
