import { createUpstream } from '@modelwire/engine-upstream';
import { presetNames } from '@modelwire/engine-upstream/internal';
import type { UpstreamPreset } from '@modelwire/engine-upstream';
import { chatParameters } from '@modelwire/ports/internal';
import type { ChatCapabilities } from '@modelwire/ports';

/** Replaces the table of presets between the markers in the README of `engine-upstream`. */
export function withPresetsTable(readme: string): string {
  const presets = presetNames.map(parametersOf);
  const rows = chatParameters.map((name) => row([`\`${name}\``, ...presets.map((parameters) => parameters[name])]));
  const table = [row(['parameter', ...presetNames]), row(['---', ...presetNames.map(() => '---')]), ...rows].join('\n');
  return readme.replace(
    /<!-- presets -->[\s\S]*<!-- \/presets -->/,
    `<!-- presets -->\n\n${table}\n\n<!-- /presets -->`,
  );
}

/** How a model of one server with this preset supports each parameter. */
function parametersOf(preset: UpstreamPreset): ChatCapabilities['parameters'] {
  const engine = createUpstream({ upstreams: [{ baseURL: 'http://127.0.0.1/v1', preset }], models: { model: {} } });
  const [model] = engine.models();
  if (!model) throw new Error(`The preset ${preset} has no model.`);
  return model.capabilities.parameters;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
