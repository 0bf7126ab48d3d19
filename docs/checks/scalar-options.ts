import { optionDefinitions } from '@modelwire/server/internal';
import type { OptionDefinition } from '@modelwire/server/internal';

/** Renders the interface of the server kit's plain options, with their documentation, from the table that defines them. */
export function scalarOptionsSource(): string {
  const definitions: readonly (readonly [string, OptionDefinition])[] = Object.entries(optionDefinitions);
  const members = definitions.map(
    ([name, definition]) => `  /** ${documentation(definition)} */\n  readonly ${name}?: ${typeOf(definition)};\n`,
  );
  return `// Generated from definitions.ts by \`npm run docs\`. Do not edit.

/** The options of \`createServer\` that are plain values. */
export interface ScalarOptions {
${members.join('')}}
`;
}

/** Replaces the table of options between the markers in the README of the server kit. */
export function withOptionsTable(readme: string): string {
  const definitions: readonly (readonly [string, OptionDefinition])[] = Object.entries(optionDefinitions);
  const rows = definitions.map(
    ([name, definition]) => `| \`${name}\` | ${defaultText(definition)} | ${definition.description} |`,
  );
  const table = ['| option | default | description |', '| --- | --- | --- |', ...rows].join('\n');
  return readme.replace(
    /<!-- options -->[\s\S]*<!-- \/options -->/,
    `<!-- options -->\n\n${table}\n\n<!-- /options -->`,
  );
}

const defaultText = ({ default: value }: OptionDefinition): string =>
  value === undefined ? '' : `\`${JSON.stringify(value).replaceAll('"', "'")}\``;

function documentation(definition: OptionDefinition): string {
  if (definition.default === undefined) return definition.description;
  return `${definition.description} Default ${defaultText(definition)}.`;
}

function typeOf(definition: OptionDefinition): string {
  switch (definition.type) {
    case 'integer':
      return 'number';
    case 'integerOrAuto':
      return "number | 'auto'";
    case 'enum':
      return definition.values.map((value) => `'${value}'`).join(' | ');
    default:
      return definition.type;
  }
}
