// Rules for the manifests of published packages. The message of a broken rule is printed after the name of the package.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const repository = 'git+https://github.com/modelwire/modelwire.git';

/** The broken rules of the manifest of the package in `folder` (relative to `root`), as messages. */
export function manifestFaults(root, folder, manifest) {
  const { publishConfig = {}, engines = {}, exports = {}, files = [], keywords = [] } = manifest;
  const faults = [];
  const must = (holds, otherwise) => {
    if (!holds) faults.push(otherwise);
  };
  must(/^@modelwire\/[a-z0-9-]+$/.test(manifest.name), 'name is not of the scope @modelwire');
  must(
    typeof manifest.description === 'string' && manifest.description.length >= 20,
    'description is missing or too short',
  );
  must(manifest.license === 'MIT', 'license is not MIT');
  must(manifest.type === 'module', 'type is not module');
  must(engines.node === '>=22.19', 'engines.node is not >=22.19, the oldest Node.js version that all packages support');
  must(manifest.repository?.url === repository, `repository.url is not ${repository}`);
  must(manifest.repository?.directory === folder, `repository.directory is not ${folder}`);
  must(
    keywords.length >= 3 && new Set(keywords).size === keywords.length,
    'keywords has fewer than 3 entries or a duplicate',
  );
  must(publishConfig.access === 'public', 'publishConfig.access is not public');
  must(publishConfig.provenance === true, 'publishConfig.provenance is not true');
  must(files.includes('dist') && files.includes('README.md'), 'files lacks dist or README.md');
  must(existsSync(join(root, folder, 'README.md')), 'README.md is missing');
  // Only the entry points of programs run code when they are imported.
  const effects = manifest.sideEffects;
  if (manifest.bin)
    must(
      effects === false || Array.isArray(effects),
      'sideEffects is neither false nor a list of the entry points of programs',
    );
  else must(effects === false, 'sideEffects is not false');
  const published = publishConfig.exports ?? {};
  for (const [entry, target] of Object.entries(published)) {
    must(/^\.\/dist\/.*\.d\.ts$/.test(target.types ?? ''), `publishConfig.exports["${entry}"].types is not in dist`);
    must(/^\.\/dist\/.*\.js$/.test(target.default ?? ''), `publishConfig.exports["${entry}"].default is not in dist`);
    must(Object.keys(target)[0] === 'types', `publishConfig.exports["${entry}"] does not start with types`);
    must(entry in exports, `exports has no "${entry}", which is published`);
  }
  must('.' in published || manifest.bin, 'publishConfig.exports lacks ".", and there is no program');
  for (const entry of Object.keys(exports)) {
    // Entry points for the tests of this repository are not published.
    must(entry in published || entry === './testing', `publishConfig.exports lacks "${entry}"`);
  }
  for (const name of Object.keys(manifest.bin ?? {})) {
    must(publishConfig.bin?.[name]?.startsWith('./dist/'), `publishConfig.bin.${name} is not in dist`);
  }
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (name.startsWith('@modelwire/')) must(range === 'workspace:^', `dependencies["${name}"] is not workspace:^`);
  }
  return faults;
}
