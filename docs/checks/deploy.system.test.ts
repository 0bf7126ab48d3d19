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

test.skipIf(!has('kubectl')).each([
  { folder: 'kubernetes', image: 'registry.example.com/modelwire:0.1.0', replicas: 2 },
  { folder: 'kustomize-example', image: 'ghcr.io/your-organization/modelwire:0.1.0', replicas: 3 },
])('kustomize builds the Kubernetes objects of $folder', ({ folder, image, replicas }) => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(deploy, folder)], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('kind: Deployment');
  expect(stdout).toContain(`image: ${image}`);
  expect(stdout).toContain(`replicas: ${replicas}`);
});

/** Version 1, the program docker-compose, does not know the files' format. */
const hasCompose = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;

test.skipIf(!hasCompose)('Docker Compose accepts the files, alone and together', () => {
  const env = { ...process.env, MODELWIRE_API_KEYS: 'a-key-of-the-test', POSTGRES_PASSWORD: 'x', S3_SECRET: 'y' };
  const files = ['compose.yaml', 'compose.tls.yaml', 'compose.monitoring.yaml'].flatMap((name) => ['-f', name]);
  for (const used of [files.slice(0, 2), files, ['-f', 'grafana/compose.yaml']]) {
    const { status, stdout, stderr } = spawnSync('docker', ['compose', ...used, 'config'], {
      cwd: deploy,
      env,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('image:');
  }
});
