import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readFileSync } from 'node:fs';
import { configurationPage } from './configuration.ts';
import { architecturePicture } from './picture.ts';
import { withParametersTable } from './chat-parameters.ts';
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
  const readme = readFileSync(new URL('../../packages/server/README.md', import.meta.url), 'utf8');
  return [
    { path: 'configuration.md', text: await format(configurationPage(), options) },
    {
      path: '../packages/server/README.md',
      text: await format(withParametersTable(withOptionsTable(readme)), options),
    },
    {
      path: '../packages/server/src/scalar-options.ts',
      text: await format(scalarOptionsSource(), { ...options, parser: 'typescript' }),
    },
    { path: 'architecture.svg', text: architecturePicture() },
  ];
}
