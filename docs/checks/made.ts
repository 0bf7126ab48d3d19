import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readFileSync } from 'node:fs';
import { configurationPage } from './configuration.ts';
import { architecturePicture } from './picture.ts';
import { errorCodesSource } from './error-codes.ts';
import { withParametersTable } from './chat-parameters.ts';
import { withPresetsTable } from './upstream-presets.ts';
import { scalarOptionsSource, withOptionsTable } from './scalar-options.ts';

export interface MadePage {
  /** Relative to docs. */
  readonly path: string;
  readonly text: string;
}

/** The files that `npm run docs` generates, with their current contents. */
export async function made(): Promise<MadePage[]> {
  const path = fileURLToPath(new URL('../configuration.md', import.meta.url));
  const options = { ...(await resolveConfig(path)), parser: 'markdown' };
  const serverReadme = '../packages/server/README.md';
  const upstreamReadme = '../packages/engine-upstream/README.md';
  return [
    { path: 'configuration.md', text: await format(configurationPage(), options) },
    { path: serverReadme, text: await format(withParametersTable(withOptionsTable(read(serverReadme))), options) },
    { path: upstreamReadme, text: await format(withPresetsTable(read(upstreamReadme)), options) },
    {
      path: '../packages/server/src/options/scalar.ts',
      text: await format(scalarOptionsSource(), { ...options, parser: 'typescript' }),
    },
    {
      path: '../packages/telemetry/src/error-codes.ts',
      text: await format(errorCodesSource(), { ...options, parser: 'typescript' }),
    },
    { path: 'architecture.svg', text: architecturePicture() },
  ];
}

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
