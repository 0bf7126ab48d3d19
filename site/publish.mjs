// `node site/publish.mjs`: adds the version that `npm run site` has built (with `--release`, if that had it) to the branch gh-pages, which GitHub
// Pages serves. The other versions of the branch stay.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addVersion, builtVersion, root } from './versions.mjs';

const site = mkdtempSync(join(tmpdir(), 'modelwire-site-'));

/** Runs git and returns its output. @throws Error if it fails. */
function git(cwd, ...args) {
  const { status, stdout, error } = spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args.join(' ')} exited with ${status}`);
  return stdout.trim();
}

const bot = ['-c', 'user.name=github-actions[bot]', '-c', 'user.email=github-actions[bot]@users.noreply.github.com'];

const isPublished = git(root, 'ls-remote', 'origin', 'refs/heads/gh-pages') !== '';
if (isPublished) git(root, 'fetch', '--quiet', '--depth=1', 'origin', 'gh-pages');
git(root, 'worktree', 'add', '--quiet', '--detach', site, isPublished ? 'FETCH_HEAD' : 'HEAD');
try {
  if (!isPublished) {
    git(site, 'checkout', '--quiet', '--orphan', 'gh-pages');
    git(site, 'rm', '-r', '--force', '--quiet', '.');
  }
  const { version } = builtVersion;
  rmSync(join(site, version), { recursive: true, force: true });
  cpSync(join(root, 'site/dist', version), join(site, version), { recursive: true });
  addVersion(site, builtVersion);
  git(site, 'add', '--all');
  const message = `Documentation of ${version} at ${git(root, 'rev-parse', 'HEAD')}`;
  git(site, ...bot, 'commit', '--quiet', '--allow-empty', '-m', message);
  // Rejected if another version was published within these seconds: run it again.
  git(site, 'push', '--quiet', 'origin', 'HEAD:refs/heads/gh-pages');
} finally {
  git(root, 'worktree', 'remove', '--force', site);
}
