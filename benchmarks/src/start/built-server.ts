import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: object;
}

export interface BuiltServer {
  /** The program, as `modelwire-server` runs it. */
  readonly main: string;
  /** An empty folder for data and caches. */
  readonly folder: string;
  remove(): void;
}

const root = new URL('../../..', import.meta.url).pathname;

/**
 * Lays out the built server and the packages it needs as npm installs them. In the workspace, packages import each other's source.
 *
 * @throws when the packages are not built.
 */
export function layOutBuiltServer(): BuiltServer {
  const workspace = new Map(
    globSync(['packages/*/package.json', 'apps/*/package.json'], { cwd: root }).map((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
      return [manifest.name, { manifest, source: join(root, dirname(path)) }];
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-start-'));
  const modules = join(folder, 'node_modules');

  function install(name: string, parent: string): void {
    const target = join(modules, name);
    if (existsSync(target)) return;
    mkdirSync(dirname(target), { recursive: true });
    const own = workspace.get(name);
    if (!own) {
      const installed = join(parent, 'node_modules', name);
      // Optional dependencies may be missing.
      if (existsSync(installed)) symlinkSync(realpathSync(installed), target);
      return;
    }
    const { manifest, source } = own;
    if (!existsSync(join(source, 'dist'))) throw new Error(`${name} is not built: run npx turbo run build first`);
    for (const file of manifest.files?.filter((path) => !path.startsWith('!')) ?? [])
      cpSync(join(source, file), join(target, file), { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ ...manifest, ...manifest.publishConfig }));
    for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      install(dependency, source);
  }

  install('@modelwire/server-app', root);
  return {
    main: join(modules, '@modelwire/server-app/dist/main.js'),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
