// `node site/publish.mjs`: adds the version that `npm run site` has built to the branch gh-pages, which GitHub Pages serves. With `--release` for
// both, the checkout must be at the tag of the release. The other versions of the branch stay. The branch has one commit, which is replaced.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addVersion, builtVersion, root } from './versions.mjs';

const { version, gitRef } = builtVersion;
const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = process.env;
/** The token is not in the settings of git, which the packages that build the site could read. */
const remote = token === undefined ? 'origin' : `https://x-access-token:${token}@github.com/${repository}.git`;
const branch = 'refs/heads/gh-pages';

/** Runs git and returns its output. @throws Error if it fails. */
function git(cwd, ...args) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  const { status, stdout, error } = spawnSync('git', args, options);
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args[0]} exited with ${status}`);
  return stdout.trim();
}

const bot = ['-c', 'user.name=github-actions[bot]', '-c', 'user.email=github-actions[bot]@users.noreply.github.com'];
const head = git(root, 'rev-parse', 'HEAD');

function requireTag() {
  git(root, 'fetch', '--quiet', '--depth=1', remote, `refs/tags/${gitRef}`);
  if (git(root, 'rev-parse', 'FETCH_HEAD^{commit}') !== head)
    throw new Error(`This checkout is not at the tag ${gitRef}: its documentation is not that of the release.`);
}

/** @throws Error if another version was published meanwhile. */
function publish(site) {
  const [published = ''] = git(root, 'ls-remote', remote, branch).split('\t');
  if (published !== '') git(root, 'fetch', '--quiet', '--depth=1', remote, branch);
  git(root, 'worktree', 'add', '--quiet', '--detach', site, published === '' ? 'HEAD' : 'FETCH_HEAD');
  if (published === '') git(site, 'rm', '-r', '--force', '--quiet', '.');
  rmSync(join(site, version), { recursive: true, force: true });
  cpSync(join(root, 'site/dist', version), join(site, version), { recursive: true });
  addVersion(site, builtVersion);
  git(site, 'add', '--all');
  const message = `Documentation of ${version} at ${head}`;
  const commit = git(site, ...bot, 'commit-tree', git(site, 'write-tree'), '-m', message);
  git(site, 'push', '--quiet', `--force-with-lease=${branch}:${published}`, remote, `${commit}:${branch}`);
}

if (version !== 'main') requireTag();
for (let attempt = 1; ; attempt++) {
  const site = mkdtempSync(join(tmpdir(), 'modelwire-site-'));
  try {
    publish(site);
    break;
  } catch (error) {
    if (attempt === 3) throw error;
  } finally {
    rmSync(site, { recursive: true, force: true });
    git(root, 'worktree', 'prune');
  }
}
