import { oneLine } from '../output/controls.ts';
import type { Source } from './source.ts';

/** A configuration file in YAML that serves the models of these sources, or the simulator if there are none. */
export function configurationText(sources: readonly Source[]): string {
  const upstreams = sources.filter((source) => source.kind === 'upstream');
  const gguf = sources.filter((source) => source.kind === 'gguf');
  return [
    '# Configuration of the Modelwire server. Environment variables and flags override it.',
    '# All fields: https://github.com/modelwire/modelwire/blob/main/docs/configuration.md',
    ...section(
      'upstreams',
      upstreams.map(({ description, name, baseURL, apiKeyEnv }) => [
        description,
        { name, baseURL, ...(apiKeyEnv !== undefined && { apiKeyEnv }) },
      ]),
    ),
    ...section(
      'gguf',
      gguf.map(({ description, path }) => [`${description}: requires the package node-llama-cpp`, { path }]),
    ),
    ...(sources.length > 0 ? [] : nothingFound),
    '',
  ].join('\n');
}

const nothingFound = [
  '',
  '# Replies of the embedded simulator, until a model is configured.',
  'simulator: true',
  '# upstreams:',
  '#   - name: ollama',
  '#     baseURL: http://127.0.0.1:11434/v1',
];

type Entry = readonly [comment: string, fields: Readonly<Record<string, string>>];

/** A list of objects, each after a comment. A string of JSON is one of YAML. */
function section(field: string, entries: readonly Entry[]): readonly string[] {
  if (entries.length === 0) return [];
  const items = entries.flatMap(([comment, fields]) => [
    `  # ${oneLine(comment)}`,
    ...Object.entries(fields).map(
      ([name, value], index) => `${index === 0 ? '  - ' : '    '}${name}: ${JSON.stringify(value)}`,
    ),
  ]);
  return ['', `${field}:`, ...items];
}
