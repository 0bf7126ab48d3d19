import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const executablePath = process.env['MODELWIRE_NGINX'] ?? '/usr/sbin/nginx';
const documentation = new URL('../../../../docs/console.md', import.meta.url);

export interface Nginx {
  /** Its URL with the path at which it serves the target. */
  readonly url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the nginx of the operating system with the configuration of docs/console.md, at another path. */
export async function startNginx(target: string, path: string): Promise<Nginx> {
  if (!existsSync(executablePath)) {
    throw new Error(`There is no nginx at ${executablePath}. Install nginx-light, or set MODELWIRE_NGINX to its path.`);
  }
  const location = /```nginx\n([^]*?)```/.exec(readFileSync(documentation, 'utf8'))?.[1];
  if (location === undefined) throw new Error('docs/console.md has no nginx configuration');
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-nginx-'));
  // If nginx is started as root, its workers run as another user.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const configuration = `
    daemon off;
    pid ${join(folder, 'nginx.pid')};
    error_log ${join(folder, 'error.log')} notice;
    events {}
    http {
      access_log off;
      ${temporary.join(' ')}
      server {
        listen 127.0.0.1:${port};
        ${location.replaceAll('/models/', `${path}/`).replace('http://127.0.0.1:8787', target)}
      }
    }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const child = spawn(executablePath, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const url = `http://127.0.0.1:${port}${path}`;
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${output}`);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function responds(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { redirect: 'manual' })).arrayBuffer();
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
