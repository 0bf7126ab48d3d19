// What would be published on JSR: the sources of the packages that need no Node.js, as `deno publish` checks them, without publishing.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { manifestOf } from '../workspace.mjs';

/** Checks the packages with `deno publish --dry-run`. `fresh` is a project in which the published packages are installed. */
export function checkForJsr({ clone, fresh, folder, packages, deno }) {
  const portable = portablePackages(packages);
  mkdirSync(folder);
  for (const { folder: source, manifest } of portable) {
    const target = join(folder, source);
    mkdirSync(target, { recursive: true });
    for (const part of ['src', 'README.md']) cpSync(join(clone, source, part), join(target, part), { recursive: true });
    writeJson(join(target, 'jsr.json'), jsrManifest(manifest, manifestOf(fresh, `node_modules/${manifest.name}`)));
  }
  writeJson(join(folder, 'deno.json'), { workspace: portable.map((one) => `./${one.folder}`) });
  // The types of zod schemas are inferred, which JSR calls slow types. The types of the API are also generated, without zod.
  run(deno, ['publish', '--dry-run', '--allow-dirty', '--allow-slow-types', '--no-check'], { cwd: folder });
  return portable.map(({ manifest }) => manifest.name.replace('@modelwire/', '')).join(', ');
}

/** Those without Node.js, whose dependencies of the workspace need none either. */
function portablePackages(packages) {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const isPortable = ({ portable, manifest }) =>
    portable &&
    Object.keys(manifest.dependencies ?? {}).every((name) => !byName.has(name) || isPortable(byName.get(name)));
  return packages.filter(isPortable);
}

/** `published` has the versions of the dependencies, which the manifests of the workspace take from a catalog. */
function jsrManifest({ name, version, license, exports, publishConfig }, published) {
  const ranges = { ...published.dependencies, ...published.peerDependencies };
  const others = Object.entries(ranges).filter(([dependency]) => !dependency.startsWith('@modelwire/'));
  return {
    name,
    version,
    license,
    exports: Object.fromEntries(Object.keys(publishConfig.exports).map((entry) => [entry, exports[entry]])),
    imports: Object.fromEntries(others.map(([dependency, range]) => [dependency, `npm:${dependency}@${range}`])),
    publish: { include: ['src', 'README.md'], exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts'] },
  };
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
