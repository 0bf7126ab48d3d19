import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a bundler makes of a module, for browsers. */
export interface Bundled {
  /** Bytes, minified and gzipped. */
  readonly gzipped: number;
  /** Files of which something is left in it. */
  readonly modules: readonly string[];
  /** All that is imported anywhere on the way. */
  readonly imports: readonly string[];
}

export interface Own {
  /** The package that the module may import. */
  readonly name: string;
  readonly packageDir: URL;
  /** File of each subpath. Default: `src/index.ts` alone. */
  readonly entries?: Readonly<Record<string, string>>;
}

/** Bundles a module that imports a package of ours from its source. */
export async function bundle(contents: string, own: Own): Promise<Bundled> {
  const { name, entries = { '.': 'src/index.ts' } } = own;
  const packageDir = fileURLToPath(own.packageDir);
  // Subpaths first, as the name alone begins them too.
  const alias = Object.entries(entries)
    .sort(([a], [b]) => b.length - a.length)
    .map(([subpath, file]) => [`${name}${subpath.slice(1)}`, `${packageDir}/${file}`] as const);
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageDir },
    absWorkingDir: packageDir,
    alias: Object.fromEntries(alias),
    // Comes when a checksum is asked for, as a file of its own.
    external: ['hash-wasm'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
  });
  const outputs = Object.values(metafile.outputs);
  const inputs = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return {
    gzipped: outputFiles.reduce((sum, file) => sum + gzipSync(file.contents, { level: 9 }).length, 0),
    modules: outputs.flatMap((output) =>
      Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
    imports: [...inputs, ...outputs.flatMap(({ imports }) => imports.map(({ path }) => path))],
  };
}
