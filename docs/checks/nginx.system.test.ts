import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { get as getSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '@modelwire/ports/testing';
import { expect, onTestFinished, test } from 'vitest';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const has = (program: string): boolean => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;

/** The beginning of a DNS response with one question and a number of answers, without the question. */
function answerHeader(query: Buffer, answers: number): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(answers, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  return header;
}

/** A DNS server that gives the same addresses for every name, like Docker's for a name of several containers. */
async function nameServer(addresses: readonly string[]) {
  let current = addresses;
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const answers = current.map((one) =>
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...one.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([answerHeader(query, answers.length), question, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return {
    port: socket.address().port,
    set(next: readonly string[]) {
      current = next;
    },
  };
}

type Handler = Parameters<typeof createServer>[1];

/** A server at an address of its own, which it answers with. */
async function serverAt(
  address: string,
  port: number,
  handler: Handler = (_, response) => void response.end(address),
): Promise<Server> {
  const server = createServer(handler).listen(port, address);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

interface Proxy {
  readonly http: number;
  readonly redirecting: number;
  readonly https: number;
  /** The certificate, with TLS. */
  readonly certificate: string | undefined;
}

/** nginx with the configuration of this repository, with other ports and this name server. */
async function startNginx({ dns, port, tls = false }: { dns: number; port: number; tls?: boolean }): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-nginx-'));
  const [http, redirecting, https] = [await freePort(), await freePort(), await freePort()];
  const certificate = tls ? selfSigned(folder) : undefined;
  const files = ['nginx.conf', ...(tls ? ['nginx-tls.conf'] : [])].map((name) =>
    readFileSync(join(deploy, name), 'utf8')
      .replace('resolver 127.0.0.11 valid=2s', `resolver 127.0.0.1:${dns} valid=1s`)
      .replaceAll('http://modelwire:8787', `http://modelwire:${port}`)
      .replace('listen 8787', `listen 127.0.0.1:${http}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${https} ssl`)
      .replace('listen 80', `listen 127.0.0.1:${redirecting}`)
      .replaceAll('/etc/nginx/tls', folder),
  );
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    join(folder, 'main.conf'),
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr notice; events {}
     http { access_log off; ${paths.join(' ')} ${files.join('\n')} }`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'main.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true });
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      log += bytes.toString();
      if (log.includes('start worker') || log.includes('using the')) resolve();
    });
    child.once('exit', () => reject(new Error(`nginx ended: ${log}`)));
  });
  return { http, redirecting, https, certificate };
}

/** Creates a certificate for localhost and returns it. */
function selfSigned(folder: string): string {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const files = ['-keyout', key, '-out', certificate];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...names],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  return readFileSync(certificate, 'utf8');
}

async function fetched(port: number, path = '/v1/models'): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
  return { status: response.status, body: await response.text() };
}

async function inTurn<Result>(times: number, run: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time++) results.push(await run());
  return results;
}

test.skipIf(!has('nginx'))('nginx finds a container that was recreated with another address', async () => {
  const port = await freePort('127.0.0.2');
  const dns = await nameServer(['127.0.0.2']);
  const old = await serverAt('127.0.0.2', port);
  const { http } = await startNginx({ dns: dns.port, port });
  expect(await fetched(http)).toEqual({ status: 200, body: '127.0.0.2' });
  old.closeAllConnections();
  old.close();
  await serverAt('127.0.0.3', port);
  dns.set(['127.0.0.3']);
  await expect.poll(() => fetched(http), { timeout: 10_000 }).toEqual({ status: 200, body: '127.0.0.3' });
});

test.skipIf(!has('nginx'))('no request fails when one of two servers is gone', async () => {
  const port = await freePort('127.0.0.2');
  const dns = await nameServer(['127.0.0.2', '127.0.0.3']);
  const first = await serverAt('127.0.0.2', port);
  await serverAt('127.0.0.3', port);
  const { http } = await startNginx({ dns: dns.port, port });
  const both = await inTurn(20, () => fetched(http));
  expect(new Set(both.map(({ body }) => body))).toEqual(new Set(['127.0.0.2', '127.0.0.3']));
  first.closeAllConnections();
  first.close();
  const rest = await inTurn(20, () => fetched(http));
  expect(new Set(rest.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 127.0.0.3']));
});

test.skipIf(!has('nginx'))('nginx passes each piece of a stream on at once, and hides the metrics', async () => {
  const port = await freePort('127.0.0.2');
  const dns = await nameServer(['127.0.0.2']);
  let finish = () => {};
  await serverAt('127.0.0.2', port, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    finish = () => void response.end('data: [DONE]\n\n');
  });
  const { http } = await startNginx({ dns: dns.port, port });
  const [response] = (await once(get(`http://127.0.0.1:${http}/v1/stream`), 'response')) as [IncomingMessage];
  const [first] = (await once(response, 'data')) as [Buffer];
  expect(first.toString()).toBe('data: 1\n\n');
  finish();
  expect(await text(response)).toBe('data: [DONE]\n\n');
  expect((await fetched(http, '/metrics')).status).toBe(404);
});

test.skipIf(!has('nginx') || !has('openssl'))('nginx serves HTTPS, and redirects HTTP to it', async () => {
  const port = await freePort('127.0.0.2');
  const dns = await nameServer(['127.0.0.2']);
  await serverAt('127.0.0.2', port, (request, response) => void response.end(request.headers['x-forwarded-proto']));
  const { redirecting, https, certificate } = await startNginx({ dns: dns.port, port, tls: true });
  const url = `https://localhost:${https}/v1/models`;
  const request = getSecurely(url, { ca: certificate, family: 4 });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(await text(response)).toBe('https');
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
  const redirect = await fetch(`http://127.0.0.1:${redirecting}/v1/models?limit=2`, { redirect: 'manual' });
  expect(redirect.status).toBe(308);
  expect(redirect.headers.get('location')).toBe('https://127.0.0.1/v1/models?limit=2');
});
