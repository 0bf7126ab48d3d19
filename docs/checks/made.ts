import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configurationPage } from './configuration.ts';
import { architecturePicture } from './picture.ts';

export interface MadePage {
  /** Beside this folder. */
  readonly path: string;
  readonly text: string;
}

/** What of this folder is made from sources, as it should be now. */
export async function made(): Promise<MadePage[]> {
  const path = fileURLToPath(new URL('../configuration.md', import.meta.url));
  const options = { ...(await resolveConfig(path)), parser: 'markdown' };
  return [
    { path: 'configuration.md', text: await format(configurationPage(), options) },
    { path: 'architecture.svg', text: architecturePicture() },
  ];
}
