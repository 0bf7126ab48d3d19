import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@modelwire/ports/testing';
import type { S3BlobsOptions, S3Credentials } from '../options.ts';

export interface TestServer {
  readonly options: S3BlobsOptions & S3Credentials & { readonly endpoint: string };
  stop(): Promise<void>;
}

const bucket = 'test-bucket';

/** s3rver, from npm. */
export async function startS3rver(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-s3rver-'));
  const script = new URL('./s3rver-process.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder, bucket], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    options: {
      endpoint: `http://127.0.0.1:${port.toString().trim()}`,
      bucket,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      forcePathStyle: true,
    },
    stop: () => stopped(child, folder),
  };
}

/** The program in MODELWIRE_VERSITYGW, which implements the complete protocol and is not an npm package, or s3rver. */
export function startS3(): Promise<TestServer> {
  const program = process.env['MODELWIRE_VERSITYGW'];
  return program === undefined ? startS3rver() : startVersitygw(program);
}

/** versitygw over a folder, by the path of its program. */
export async function startVersitygw(program: string): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-versitygw-'));
  for (const name of [`data/${bucket}`, 'attributes']) await mkdir(join(folder, name), { recursive: true });
  const [accessKeyId, secretAccessKey] = ['modelwire-access', 'modelwire-secret'];
  const serving = ['--access', accessKeyId, '--secret', secretAccessKey, '--quiet'];
  // In separate files, because not every file system of a test machine has extended attributes.
  const storing = ['posix', '--sidecar', join(folder, 'attributes'), join(folder, 'data')];
  for (let tries = 0; tries < 5; tries++) {
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(program, [...serving, '--port', address, ...storing], { stdio: 'ignore' });
    const endpoint = `http://${address}`;
    // It exits when another program has taken its port meanwhile.
    while (child.exitCode === null) {
      await sleep(50);
      if (!(await fetch(endpoint).catch(() => undefined))) continue;
      return {
        options: { endpoint, bucket, accessKeyId, secretAccessKey, forcePathStyle: true },
        stop: () => stopped(child, folder),
      };
    }
  }
  throw new Error(`${program} does not start`);
}

async function stopped(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await rm(folder, { recursive: true });
}
