import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/executable.mjs', import.meta.url));
/** Builds of Node.js without it, such as those with a shared library, have nowhere to embed a program. */
const canEmbed = readFileSync(process.execPath).includes('NODE_SEA_FUSE');
const work = mkdtempSync(join(tmpdir(), 'modelwire-executable-'));
const isPosix = process.platform !== 'win32';
/** The folder of an executable to test, which a release has built. Default: one is built. */
const given = process.env['MODELWIRE_EXECUTABLE_FOLDER'];
const program = join(given ?? work, `modelwire-server-${process.platform}-${process.arch}${isPosix ? '' : '.exe'}`);

afterAll(() => rmSync(work, { recursive: true, force: true }));

function folder(name: string): string {
  return mkdtempSync(join(work, `${name}-`));
}

/** The environment of a user who has no Node.js, with a cache folder. */
function environment(cache: string): NodeJS.ProcessEnv {
  return {
    HOME: work,
    XDG_CACHE_HOME: cache,
    ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }),
  };
}

function run(args: readonly string[], { cache, cwd = work }: { cache: string; cwd?: string }) {
  return spawnSync(program, args, { cwd, env: environment(cache), encoding: 'utf8' });
}

/** The folder with the files that the executable has unpacked. */
function unpacked(cache: string): string {
  const names = readdirSync(join(cache, 'modelwire'));
  expect(names).toHaveLength(1);
  return join(cache, 'modelwire', names[0] ?? '');
}

describe.skipIf(!canEmbed)(`the single executable (skipped if ${process.execPath} cannot embed programs)`, () => {
  const shared = join(work, 'cache');

  beforeAll(() => {
    if (given !== undefined) return;
    const { status, stderr } = spawnSync(process.execPath, [script, '--out', work], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });

  test('the file beside it has its SHA-256', () => {
    const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
    expect(readFileSync(`${program}.sha256`, 'utf8')).toBe(`${hash}  ${basename(program)}\n`);
  });

  test('two first starts at the same time both work, and leave one folder that only its user can write to', async () => {
    const children = [1, 2].map(() => spawn(program, ['--help'], { env: environment(shared), stdio: 'ignore' }));
    const codes = await Promise.all(children.map((child) => once(child, 'close')));
    expect(codes).toEqual([
      [0, null],
      [0, null],
    ]);
    const root = unpacked(shared);
    // A release is built with a Node.js that has its license; the one of pnpm has none.
    if (given !== undefined) expect(readFileSync(join(root, 'LICENSE-node'), 'utf8')).toContain('OpenSSL');
    if (isPosix)
      expect([root, join(root, 'import.cjs')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  test('--version, --help and the commands of keys work', () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../apps/server/package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    expect(run(['--version'], { cache: shared })).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(run(['--help'], { cache: shared }).stdout).toContain('modelwire-server keys <command>');
    const cwd = folder('keys');
    const created = run(['keys', 'create', '--project', 'shop'], { cache: shared, cwd });
    expect(created).toMatchObject({ status: 0, stderr: '' });
    expect(run(['keys', 'list'], { cache: shared, cwd }).stdout).toContain('shop');
  });

  test('it serves chat, batches, uploads, videos and the console by two workers, with SQLite', async () => {
    const cwd = folder('serve');
    writeFileSync(join(cwd, 'modelwire.config.yaml'), 'port: 0\nworkers: 2\nlogLevel: warn\n');
    const server = spawn(program, [], { cwd, env: environment(shared), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    const closed = once(server, 'close');
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await closed;
    });
    const base = await vi.waitFor(
      () => {
        const found = /listens on (\S+)\/v1/.exec(output)?.[1];
        if (found === undefined) throw new Error(`not started: ${output}`);
        return found;
      },
      { timeout: 60_000 },
    );
    const apiKey = readFileSync(join(cwd, '.modelwire/api-key'), 'utf8').trim();
    const client = new OpenAI({ baseURL: `${base}/v1`, apiKey });

    const messages = [{ role: 'user' as const, content: 'Hello!' }];
    let reply = '';
    for await (const chunk of await client.chat.completions.create({ model: 'simulator', stream: true, messages }))
      reply += chunk.choices[0]?.delta.content ?? '';
    expect(reply).toContain('simulator');

    const line = {
      custom_id: 'a',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'simulator', messages },
    };
    const input = await client.files.create({
      purpose: 'batch',
      file: new File([JSON.stringify(line)], 'input.jsonl'),
    });
    const batch = await client.batches.create({
      input_file_id: input.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    const video = await client.videos.create({ model: 'storyboard', prompt: 'A river', seconds: '4' });

    const upload = await client.uploads.create({
      bytes: 5,
      filename: 'a.txt',
      mime_type: 'text/plain',
      purpose: 'user_data',
    });
    const part = await client.uploads.parts.create(upload.id, { data: new File(['hello'], 'part') });
    const { file } = await client.uploads.complete(upload.id, {
      part_ids: [part.id],
      md5: '5d41402abc4b2a76b9719d911017c592',
    });
    expect(await (await client.files.content(file?.id ?? '')).text()).toBe('hello');

    const page = await (await fetch(`${base}/console/`)).text();
    const asset = /assets\/[^"]+\.js/.exec(page)?.[0] ?? '';
    const script = await fetch(`${base}/console/${asset}`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
    expect((await fetch(`${base}/docs`)).status).toBe(200);

    await vi.waitFor(async () => expect((await client.batches.retrieve(batch.id)).status).toBe('completed'), {
      timeout: 60_000,
      interval: 200,
    });
    await vi.waitFor(async () => expect((await client.videos.retrieve(video.id)).status).toBe('completed'), {
      timeout: 60_000,
      interval: 200,
    });
    const content = await (await client.videos.downloadContent(video.id)).bytes();
    expect(Buffer.from(content.subarray(4, 8)).toString()).toBe('ftyp');
    expect(existsSync(join(cwd, '.modelwire/modelwire.sqlite'))).toBe(true);

    server.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(output).not.toMatch(/warning|Error/i);
  });

  test('changed and missing files are unpacked again, and other files in the cache folder stay', () => {
    const cache = folder('damaged');
    expect(run(['--version'], { cache }).status).toBe(0);
    const root = unpacked(cache);
    const main = join(root, 'node_modules/@modelwire/server-app/src/main.js');
    const original = readFileSync(main);
    const changes = [
      () => writeFileSync(main, original.toString().replace('import', 'imporT')),
      () => writeFileSync(main, original.subarray(0, 10)),
      () => rmSync(main),
    ];
    for (const change of changes) {
      change();
      const { status, stderr } = run(['--version'], { cache });
      expect([status, stderr]).toEqual([0, `The files in ${root} are damaged: they are unpacked again.\n`]);
      expect(readFileSync(main)).toEqual(original);
    }
    expect(unpacked(cache)).toBe(root);
  });

  test('what was left by processes that were killed while they unpacked is removed', () => {
    const cache = folder('left');
    const root = join(cache, 'modelwire');
    const [old, recent] = [`1.0.0-a.${randomUUID()}`, `1.0.0-a.${randomUUID()}`];
    for (const name of [old, recent]) mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    utimesSync(join(root, old), twoHoursAgo, twoHoursAgo);
    expect(run(['--version'], { cache }).status).toBe(0);
    expect(readdirSync(root)).toHaveLength(2);
    expect(readdirSync(root)).toContain(recent);
  });

  test.runIf(isPosix)('a cache folder that others can write to is an error that names another way', () => {
    const cache = folder('open');
    mkdirSync(join(cache, 'modelwire'));
    chmodSync(join(cache, 'modelwire'), 0o777);
    const { status, stderr } = run(['--version'], { cache });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `Cannot unpack the server into ${join(cache, 'modelwire')}: other users can write to the folder. ` +
        'Set XDG_CACHE_HOME to a folder that you can write to, with 200 MB of free space.\n',
    );
  });

  test('a package that is not inside is an error that says where to install it, and is found there', () => {
    const cwd = folder('provider');
    const cache = folder('packages');
    writeFileSync(
      join(cwd, 'modelwire.config.yaml'),
      "providers: [{ package: '@ai-sdk/anthropic', apiKey: k, models: [m] }]\n",
    );
    const packages = join(cache, 'modelwire');
    const { status, stderr } = run([], { cache, cwd });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The package @ai-sdk/anthropic is not installed. Install it: npm install @ai-sdk/anthropic\n',
    );
    expect(stderr).toContain(
      `This executable finds packages in ${packages}: npm install --prefix ${packages} <package>\n`,
    );
    const installed = join(packages, 'node_modules/@ai-sdk/anthropic');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'index.js'), "throw new Error('it was found');\n");
    expect(run([], { cache, cwd }).stderr).toContain('cannot be loaded: it was found');
  });
});
