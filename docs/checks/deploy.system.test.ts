import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

/** Whether a program of this name can be run here. */
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

test.skipIf(!has('systemd-analyze'))('systemd-analyze finds no error in the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-unit-'));
  const unit = join(folder, 'modelwire.service');
  // The program is not installed here.
  writeFileSync(unit, read('modelwire.service').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr.split('\n').filter((line) => line.includes('modelwire'))).toEqual([]);
  expect(status).toBe(0);
});

test.skipIf(!has('kubectl'))('kustomize builds the Kubernetes objects', () => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(deploy, 'kubernetes')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('kind: Deployment');
});
