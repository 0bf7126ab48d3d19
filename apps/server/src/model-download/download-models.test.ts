import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTinyModel } from '@modelwire/engine-llama/tiny-model';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../config/settings.ts';
import { startModelFileServer } from '../testing/model-file-server.ts';
import type { ModelFileServer } from '../testing/model-file-server.ts';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';
import { downloadModels } from './download-models.ts';

const content = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(3_000_000, 'model ')]);

/** The path of the downloaded file, and what was printed. */
async function download(
  data: string,
  gguf: string,
  { huggingFace = {}, onPrint }: { huggingFace?: Settings['huggingFace']; onPrint?: (text: string) => void } = {},
): Promise<{ path: string; printed: string }> {
  let printed = '';
  const settings = { gguf, data, huggingFace, host: '', port: 0, drainMs: 0, configPath: undefined } as const;
  const downloaded = await downloadModels(
    { ...settings, logLevel: 'silent' },
    {
      print(text) {
        printed += text;
        onPrint?.(text);
      },
      retryDelaysMs: [1, 1],
    },
  );
  if (typeof downloaded.gguf !== 'string') throw new Error('gguf is not a path');
  return { path: downloaded.gguf, printed };
}

const headers = { 'content-length': content.length, etag: `"${content.length}-${content.at(-1)}"` };

/** Serves only the first bytes of the file, until `onPrint` sees the progress and closes the connection. */
function loseConnection(server: ModelFileServer, bytes: number): { onPrint: (text: string) => void } {
  let open: ServerResponse | undefined;
  server.intercept = (_, response, range) => {
    if (range !== undefined) return false;
    open = response.writeHead(200, headers);
    response.write(content.subarray(0, bytes));
    return true;
  };
  return {
    onPrint(text) {
      if (text.includes(' %')) open?.destroy();
    },
  };
}

test('downloads a URL once, shows the progress, and does not send a request at the second start', async () => {
  const server = await startModelFileServer(content);
  const data = temporaryFolder();
  const url = `${server.url}/models/river.gguf`;
  const first = await download(data, `${url}?token=secret`);
  expect(readFileSync(first.path).equals(content)).toBe(true);
  expect(first.path).toMatch(/models.river-\w{12}.river\.gguf$/);
  expect(first.printed).toMatch(`Downloading ${url} to ${first.path}\n`);
  expect(first.printed).toMatch(/river\.gguf: 100 % of 3\.0 MB\n$/);
  expect(first.printed).not.toContain('secret');
  expect(await download(data, `${url}?token=secret`)).toEqual({ path: first.path, printed: '' });
  expect(server.requests).toHaveLength(1);
  expect(readdirSync(dirname(first.path)).toSorted()).toEqual(['files.json', 'river.gguf']);
});

test('downloads the models of lists too, for chat and for embeddings, and keeps their other fields', async () => {
  const server = await startModelFileServer(content);
  const data = temporaryFolder();
  const path = `${server.url}/river.gguf`;
  const settings = { data, host: '', port: 0, drainMs: 0, configPath: undefined, logLevel: 'silent' } as const;
  const gguf = [{ path: 'local.gguf' }, { path, id: 'river' }];
  const downloaded = await downloadModels(
    { ...settings, gguf, embeddings: { gguf: [{ path, threads: 2 }] } },
    { print: () => undefined },
  );
  const file = expect.stringMatching(/river\.gguf$/) as unknown;
  expect(downloaded.gguf).toEqual([{ path: 'local.gguf' }, { path: file, id: 'river' }]);
  expect(downloaded.embeddings).toEqual({ gguf: [{ path: file, threads: 2 }] });
  expect(JSON.stringify(downloaded)).not.toContain(server.url);
  expect(server.requests).toHaveLength(1);
});

test('leaves local paths as they are', async () => {
  expect(await download(temporaryFolder(), './hf/river.gguf')).toEqual({ path: './hf/river.gguf', printed: '' });
});

test('resumes after a lost connection', async () => {
  const server = await startModelFileServer(content);
  const { path } = await download(temporaryFolder(), `${server.url}/river.gguf`, loseConnection(server, 1_500_000));
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(server.requests.map(({ headers: { range } }) => range)).toEqual([
    undefined,
    expect.stringMatching(/^bytes=[1-9]\d*-$/),
  ]);
});

test('starts over if the file has changed on the server', async () => {
  const server = await startModelFileServer(content);
  const { onPrint } = loseConnection(server, 1_500_000);
  const changed = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(2_000_000, 'other')]);
  const { path } = await download(temporaryFolder(), `${server.url}/river.gguf`, {
    onPrint(text) {
      server.content = changed;
      onPrint(text);
    },
  });
  expect(readFileSync(path).equals(changed)).toBe(true);
});

test('refuses a file that is smaller than the server stated, names the URL, and resumes at the next start', async () => {
  const server = await startModelFileServer(content);
  const data = temporaryFolder();
  const url = `${server.url}/river.gguf`;
  const lost = loseConnection(server, 1000);
  const { intercept } = server;
  const total = content.length;
  server.intercept = (path, response, range) =>
    range === undefined
      ? intercept(path, response, range)
      : !!response.writeHead(206, { 'content-range': `bytes 1000-${total - 1}/${total}` }).end();
  await expect(download(data, url, lost)).rejects.toThrow(
    `gguf: Cannot download ${url}: the server sent 1000 of ${total} bytes. Check the URL and the network, and start again`,
  );
  server.intercept = () => false;
  const { path } = await download(data, url);
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(server.requests.at(-1)?.headers.range).toBe('bytes=1000-');
});

test.each<[string, ModelFileServer['intercept'], string]>([
  [
    'a server that does not state the size',
    (_, response) => !!response.writeHead(200).end(content),
    'the server does not state the size of the file (Content-Length)',
  ],
  ['a missing file', (_, response) => !!response.writeHead(404).end(), 'the server returned 404'],
  ['a web page', (_, response) => !!response.writeHead(200, { 'content-length': 6 }).end('<html>'), 'not a GGUF file'],
])('refuses %s', async (_, intercept, message) => {
  const server = await startModelFileServer(content);
  server.intercept = intercept;
  const data = temporaryFolder();
  await expect(download(data, `${server.url}/river.gguf`)).rejects.toThrow(message);
  expect(server.requests).toHaveLength(1);
  expect(readdirSync(data, { recursive: true }).filter((name) => String(name).includes('.gguf'))).toEqual([]);
});

test('refuses a downloaded file whose size has changed since, and names the fix', async () => {
  const server = await startModelFileServer(content);
  const data = temporaryFolder();
  const url = `${server.url}/river.gguf`;
  const { path } = await download(data, url);
  truncateSync(path, 100);
  await expect(download(data, url)).rejects.toThrow(
    `${path} has 100 bytes instead of ${content.length}. Delete the folder ${dirname(path)}`,
  );
});

test('names the URL of a server that cannot be reached', async () => {
  await expect(download(temporaryFolder(), 'http://127.0.0.1:1/river.gguf')).rejects.toThrow(
    /^gguf: Cannot download http:\/\/127\.0\.0\.1:1\/river\.gguf: .*\. Check the URL and the network/,
  );
});

test.each(['/..%2f..%2f..%2fescaped.gguf', '/a/%2e%2e/..', '/', '/.hidden', '/C:%5Cescaped.gguf', '/%00%ff'])(
  'the file of %s stays in the data folder',
  async (path) => {
    const server = await startModelFileServer(content);
    const data = temporaryFolder();
    const downloaded = await download(data, server.url + path);
    expect(relative(data, downloaded.path)).toMatch(/^models[\\/][\w.-]+-\w{12}[\\/]\w[\w.-]*\.gguf$/i);
    expect(statSync(downloaded.path).size).toBe(content.length);
  },
);

test('downloads all files of a split model and loads the first', async () => {
  const server = await startModelFileServer(content);
  const { path } = await download(temporaryFolder(), `${server.url}/river-00002-of-00002.gguf`);
  expect(path).toMatch(/river-00001-of-00002\.gguf$/);
  expect(existsSync(path.replace('00001-of', '00002-of'))).toBe(true);
});

test('finds a quantization at Hugging Face and sends the token', async () => {
  const server = await startModelFileServer(content);
  server.intercept = (path, response) => {
    if (path !== '/v2/user/River-GGUF/manifests/Q4_K_M') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ggufFile: { rfilename: 'River-Q4_K_M.gguf' } }));
    return true;
  };
  const { path } = await download(temporaryFolder(), 'hf:user/River-GGUF:Q4_K_M', {
    huggingFace: { token: 'hf_1', endpoint: server.url },
  });
  expect(path).toMatch(/River-GGUF_Q4_K_M-\w{12}.River-Q4_K_M\.gguf$/);
  expect(server.requests.map((request) => [request.path, request.headers.authorization])).toEqual([
    ['/v2/user/River-GGUF/manifests/Q4_K_M', 'Bearer hf_1'],
    ['/user/River-GGUF/resolve/main/River-Q4_K_M.gguf', 'Bearer hf_1'],
  ]);
});

test('downloads a named file of a branch from Hugging Face', async () => {
  const server = await startModelFileServer(content);
  await download(temporaryFolder(), 'hf:user/River/folder/a b.gguf#v2', { huggingFace: { endpoint: server.url } });
  expect(server.requests.map(({ path }) => path)).toEqual(['/user/River/resolve/v2/folder/a%20b.gguf']);
});

test('names the model of Hugging Face that does not exist', async () => {
  const server = await startModelFileServer(content);
  server.intercept = (_, response) => !!response.writeHead(404).end();
  await expect(
    download(temporaryFolder(), 'hf:user/River:Q9', { huggingFace: { endpoint: server.url } }),
  ).rejects.toThrow(
    `gguf: Cannot find the file of 'hf:user/River:Q9' at ${server.url}/v2/user/River/manifests/Q9: it returned 404.`,
  );
  await expect(download(temporaryFolder(), 'hf:River')).rejects.toThrow("'hf:River' is not a model of Hugging Face");
});

test('a server killed during a download resumes it at the next start and serves the model', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tiny.gguf');
  await writeTinyModel(file);
  const server = await startModelFileServer(readFileSync(file));
  const total = server.content.length;
  server.intercept = (_, response) => {
    response.writeHead(200, { 'content-length': total, etag: `"${total}-${server.content.at(-1)}"` });
    response.write(server.content.subarray(0, total / 2));
    return true;
  };
  const env = { MODELWIRE_GGUF: `${server.url}/tiny.gguf`, MODELWIRE_LOCAL_SERVERS: 'false', PORT: '0' };
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const interrupted = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  onTestFinished(() => void interrupted.kill('SIGKILL'));
  let output = '';
  interrupted.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/tiny\.gguf: [1-9]\d %/);
  interrupted.kill('SIGKILL');
  await once(interrupted, 'close');
  expect(output).toContain(`Downloading ${server.url}/tiny.gguf to `);
  expect(output).not.toContain('Modelwire listens');

  server.intercept = () => false;
  const { url } = await startProcess(folder, env);
  const { data: models } = await clientOf(url).models.list();
  expect(models.map(({ id }) => id)).toContain('tiny');
  expect(server.requests.map(({ headers: { range } }) => range)).toEqual([
    undefined,
    expect.stringMatching(/^bytes=[1-9]\d*-$/),
  ]);
});
