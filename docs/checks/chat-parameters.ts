import { chatParameters, parameterRules } from '@modelwire/ports/internal';
import type { ParameterRule } from '@modelwire/ports/internal';

const conditions: Readonly<Record<ParameterRule['emulated'], string>> = {
  always: 'always',
  tools: 'for engines with tools',
  speech: 'with `speech`',
  search: 'with `webSearch`',
  never: 'never',
};

/** Replaces the table of parameters between the markers in the README of the server kit. */
export function withParametersTable(readme: string): string {
  const rows = chatParameters.map((name) => {
    const { emulated, how } = parameterRules[name];
    return `| \`${name}\` | ${conditions[emulated]} | ${how} |`;
  });
  const table = ['| parameter | emulated | how, or why not |', '| --- | --- | --- |', ...rows].join('\n');
  return readme.replace(
    /<!-- parameters -->[\s\S]*<!-- \/parameters -->/,
    `<!-- parameters -->\n\n${table}\n\n<!-- /parameters -->`,
  );
}
