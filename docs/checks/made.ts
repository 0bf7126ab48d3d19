import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readFileSync } from 'node:fs';
import { configurationPage } from './configuration.ts';
import { gatewaysPicture } from './gateways-picture.ts';
import { architecturePicture } from './picture.ts';
import { errorCodesSource } from './error-codes.ts';
import { withParametersTable } from './chat-parameters.ts';
import { withPresetsTable } from './upstream-presets.ts';
import { scalarOptionsSource, withOptionsTable } from './scalar-options.ts';
import { documents, withReleaseNote } from './before-release.ts';
import { driftPage } from './drift/page.ts';
import { specificationChangesPage } from './drift/changes-page.ts';
import { requirementsPage } from './requirements.ts';

export interface MadePage {
  /** Relative to docs. */
  readonly path: string;
  readonly text: string;
}

/** What is made in a document besides the note of `before-release.ts`. */
const tables: Readonly<Record<string, ((readme: string) => string) | undefined>> = {
  'packages/server/README.md': (readme) => withParametersTable(withOptionsTable(readme)),
  'packages/engine-upstream/README.md': withPresetsTable,
};

/** The files that `npm run docs` generates, with their current contents. */
export async function made(): Promise<MadePage[]> {
  const path = fileURLToPath(new URL('../configuration.md', import.meta.url));
  const options = { ...(await resolveConfig(path)), parser: 'markdown' };
  const pages = documents().map(async (document) => {
    const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
    return { path: `../${document}`, text: await format(withReleaseNote(tables[document]?.(text) ?? text), options) };
  });
  return [
    ...(await Promise.all(pages)),
    { path: 'configuration.md', text: await format(configurationPage(), options) },
    { path: 'drift.md', text: await format(driftPage(), options) },
    { path: 'specification-changes.md', text: await format(specificationChangesPage(), options) },
    { path: 'conformance-requirements.md', text: await format(requirementsPage(), options) },
    {
      path: '../packages/server/src/options/scalar.ts',
      text: await format(scalarOptionsSource(), { ...options, parser: 'typescript' }),
    },
    {
      path: '../packages/telemetry/src/error-codes.ts',
      text: await format(errorCodesSource(), { ...options, parser: 'typescript' }),
    },
    { path: 'architecture.svg', text: architecturePicture() },
    { path: 'images/gateways.svg', text: gatewaysPicture() },
  ];
}
