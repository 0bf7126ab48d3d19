import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { hostedProviders, LocalServer } from '@modelwire/server-app';
import { bytesText } from '../output/units.ts';
import type { Terminal } from '../terminal.ts';
import type { GgufSource, Source, UpstreamSource } from './source.ts';

/** The sources of models on this machine: running model servers, GGUF files in the folder, and keys of providers in the environment. */
export async function findSources(
  { cwd, env }: Terminal,
  hosted: typeof hostedProviders,
  findServers: () => Promise<readonly (LocalServer & { readonly description: string })[]>,
): Promise<readonly Source[]> {
  const [servers, files] = await Promise.all([findServers(), findGgufFiles(cwd)]);
  return [...servers.map(localSource), ...files, ...keySources(env, hosted)];
}

function localSource({
  product = 'local',
  baseURL,
  needsKey,
  description,
}: LocalServer & { description: string }): UpstreamSource {
  const name = product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const apiKeyEnv = needsKey ? `${name.replaceAll('-', '_').toUpperCase()}_API_KEY` : undefined;
  return { kind: 'upstream', description, name, baseURL, apiKeyEnv };
}

/** For `map`: two servers of one product are `ollama` and `ollama-2`. */
export function withUniqueName(source: Source, index: number, all: readonly Source[]): Source {
  if (source.kind !== 'upstream') return source;
  const before = all.slice(0, index).filter((each) => each.kind === 'upstream' && each.name === source.name).length;
  return before === 0 ? source : { ...source, name: `${source.name}-${before + 1}` };
}

function keySources(env: Terminal['env'], hosted: typeof hostedProviders): readonly UpstreamSource[] {
  return hosted
    .filter(({ apiKeyEnv }) => env[apiKeyEnv] !== undefined && env[apiKeyEnv] !== '')
    .map((provider) => ({
      ...provider,
      kind: 'upstream',
      description: `${provider.name} at ${provider.baseURL}, with the key in ${provider.apiKeyEnv}`,
    }));
}

/** The GGUF files of the folder and of `models`; of a split model its first part, and no projectors of images. */
async function findGgufFiles(cwd: string): Promise<readonly GgufSource[]> {
  const folders = await Promise.all(
    ['', 'models/'].map(async (folder) => {
      const names = await readdir(join(cwd, folder)).catch(() => []);
      return names.filter(isModel).map((name) => `${folder}${name}`);
    }),
  );
  const files = await Promise.all(
    folders.flat().map(async (path): Promise<readonly GgufSource[]> => {
      const file = await stat(join(cwd, path)).catch(() => undefined);
      if (file?.isFile() !== true) return [];
      return [{ kind: 'gguf', description: `${path}, ${bytesText(file.size)}`, path }];
    }),
  );
  return files.flat();
}

function isModel(name: string): boolean {
  const part = /-(\d+)-of-\d+\.gguf$/.exec(name)?.[1];
  return name.endsWith('.gguf') && !name.startsWith('mmproj') && (part === undefined || Number(part) === 1);
}
