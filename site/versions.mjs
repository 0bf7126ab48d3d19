// The versions of the documentation, each in a folder of the site: `main`, and `vX.Y` for the releases of a minor version. `versions.json` lists
// them for the menu of every page, also of those that were built earlier.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestOf } from '../scripts/workspace.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The version of the documentation of a release of the server app, or `main`. `gitRef` is the branch or tag that files are linked at. */
export function siteVersion(released) {
  if (released === undefined) return { version: 'main', title: 'main (unreleased)', gitRef: 'main' };
  const [major, minor] = released.split('.');
  return { version: `v${major}.${minor}`, title: released, gitRef: `@modelwire/server-app@${released}` };
}

/** That of this checkout: `main`, or with `--release` that of the release. */
export const builtVersion = siteVersion(
  process.argv.includes('--release') ? manifestOf(root, 'apps/server').version : undefined,
);

/** Newest release first, `main` at the end. */
function newestFirst({ version: left }, { version: right }) {
  const numbers = (version) => (version === 'main' ? [-1, 0] : version.slice(1).split('.').map(Number));
  const [[leftMajor, leftMinor], [rightMajor, rightMinor]] = [numbers(left), numbers(right)];
  return rightMajor - leftMajor || rightMinor - leftMinor;
}

/**
 * Adds a version that was built to the list in the folder of the site. The newest release, or `main` before there is one, is also reached by
 * `latest` and by the address of the site.
 */
export function addVersion(site, { version, title }) {
  const file = join(site, 'versions.json');
  const others = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const versions = [{ version, title }, ...others.filter((other) => other.version !== version)]
    .map(({ version, title }) => ({ version, title }))
    .sort(newestFirst);
  const latest = versions[0].version;
  writeFileSync(file, `${JSON.stringify(versions, null, 2)}\n`);
  // GitHub Pages serves files whose names begin with an underscore only if this file exists.
  writeFileSync(join(site, '.nojekyll'), '');
  writeFileSync(join(site, 'index.html'), redirect(`./${latest}/`));
  for (const file of ['404.html', 'llms.txt'])
    writeFileSync(join(site, file), readFileSync(join(site, latest, file), 'utf8'));
  writeLatest(site, latest);
}

/** Links to `latest` stay valid: each of its pages leads to that of the newest release. */
function writeLatest(site, version) {
  const folder = join(site, 'latest');
  rmSync(folder, { recursive: true, force: true });
  for (const path of globSync('**/*.html', { cwd: join(site, version) })) {
    const page = path.replaceAll('\\', '/');
    const target = page.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');
    mkdirSync(join(folder, dirname(page)), { recursive: true });
    writeFileSync(join(folder, page), redirect(`${'../'.repeat(page.split('/').length)}${version}/${target}`));
  }
}

/** GitHub Pages has no redirects: a page that leads to another one, with the heading of the address. */
function redirect(target) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Modelwire</title>
    <link rel="canonical" href="${target}">
    <meta name="robots" content="noindex">
    <script>location.replace('${target}' + location.search + location.hash)</script>
    <meta http-equiv="refresh" content="0; url=${target}">
  </head>
  <body><a href="${target}">The documentation</a></body>
</html>
`;
}
