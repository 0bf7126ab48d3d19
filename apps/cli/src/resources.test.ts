import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { mp4Of } from '@modelwire/server-app/testing';
import { listenForTest } from '@modelwire/vitest/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { folder, lines, runCommand } from './testing/fake-terminal.ts';
import type { FakeOptions, CommandResult } from './testing/fake-terminal.ts';
import { quickVideos } from './testing/quick-videos.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve({ videos: quickVideos })));
afterAll(() => server.stop());

/** Runs a command against the server and expects it to succeed. */
async function succeed(words: readonly string[], options: FakeOptions = {}): Promise<CommandResult> {
  const result = await runCommand(words, { ...options, env: { ...server.env, ...options.env } });
  expect([result.code, result.err]).toEqual([EXIT.ok, expect.any(String)]);
  return result;
}

/** The value that the command prints with `--json`. */
async function one(words: readonly string[], options: FakeOptions = {}): Promise<Record<string, unknown>> {
  const [value] = lines((await succeed([...words, '--json'], options)).out);
  return value as Record<string, unknown>;
}

describe('completions', () => {
  test('are stored with --store, found by metadata, shown, changed, and deleted', async () => {
    const { id } = await one(['chat', '--store', '--metadata', 'topic=rivers', '-t', '0', 'What is 6 * 7?']);
    const found = lines((await succeed(['completions', 'list', '--metadata', 'topic=rivers', '--json'])).out);
    expect(found).toMatchObject([{ id }]);
    expect((await succeed(['completions', 'get', String(id)])).out).toMatch(/reply\t.*42/);
    expect((await succeed(['completions', 'messages', String(id)])).out).toContain('\tuser\tWhat is 6 * 7?');
    expect(await one(['completions', 'update', String(id), 'topic=sums'])).toMatchObject({
      metadata: { topic: 'sums' },
    });
    expect(await one(['completions', 'delete', String(id)])).toMatchObject({ deleted: true });
    const { code } = await runCommand(['completions', 'get', String(id)], { env: server.env });
    expect(code).toBe(EXIT.notFound);
  });

  test('are followed as streams, from the start or after an event', async () => {
    const chunks = lines((await succeed(['chat', '--store', '-t', '0', '--chunks', 'What is 6 * 7?'])).out);
    const { id } = chunks[0] as { readonly id: string };
    expect((await succeed(['completions', 'follow', id])).out).toMatch(/42/);
    expect(lines((await succeed(['completions', 'follow', id, '--after', '0', '--json'])).out)).toHaveLength(
      chunks.length - 1,
    );
    const { code } = await runCommand(['completions', 'follow', 'chatcmpl-none'], { env: server.env });
    expect(code).toBe(EXIT.notFound);
  });

  test('are filtered by key, by finish reason and by words', async () => {
    const options = ['--store', '--metadata', 'by=filters', '-t', '0'];
    const { id, api_key_id } = await one([
      'completions',
      'get',
      String((await one(['chat', ...options, 'Hello']))['id']),
    ]);
    const list = async (...flags: string[]) =>
      lines((await succeed(['completions', 'list', '--metadata', 'by=filters', '--json', ...flags])).out);
    expect(await list('--key', String(api_key_id), '--finish-reason', 'stop')).toMatchObject([{ id }]);
    expect(await list('--key', 'key_none')).toEqual([]);
    expect(await list('--finish-reason', 'length')).toEqual([]);
    expect(await list('--search', 'hel*')).toMatchObject([{ id }]);
    expect(await list('--search', 'hel')).toEqual([]);
  });

  test('are filtered by time of creation', async () => {
    const { id, created } = await one(['chat', '--store', '--metadata', 'when=now', '-t', '0', 'Hello']);
    const list = async (...flags: string[]) =>
      lines((await succeed(['completions', 'list', '--metadata', 'when=now', '--json', ...flags])).out);
    expect(await list('--since', String(created))).toMatchObject([{ id }]);
    expect(await list('--since', '2020-01-01', '--until', String(created))).toEqual([]);
    expect(await list('--until', '2100-01-01')).toMatchObject([{ id }]);
    const { code, err } = await runCommand(['completions', 'list', '--since', 'yesterday'], { env: server.env });
    expect([code, err]).toEqual([
      EXIT.usage,
      expect.stringContaining("Option '--since <time>' argument 'yesterday' is invalid."),
    ]);
  });

  test('are listed over several pages, up to the limit', async () => {
    for (let at = 0; at < 3; at++)
      await succeed(['chat', '--store', '--metadata', 'many=yes', '--max-tokens', '20', '-t', '0', 'Hello']);
    const list = (...flags: string[]) => ['completions', 'list', '--metadata', 'many=yes', '--json', ...flags];
    expect(lines((await succeed(list('-n', '2'))).out)).toHaveLength(2);
    expect(lines((await succeed(list('--all'))).out)).toHaveLength(3);
  });
});

describe('moderate', () => {
  test('classifies each text, and exits with 10 for --fail', async () => {
    const { out } = await succeed(['moderate', 'I love rivers', 'I will kill myself']);
    expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['not flagged', 'flagged', '']);
    const { code } = await runCommand(['moderate', '--fail'], { env: server.env, stdin: 'I will kill myself' });
    expect(code).toBe(EXIT.unsuccessful);
  });

  test('classifies stdin after the line with the key', async () => {
    const stdin = `${server.env['MODELWIRE_API_KEY'] ?? ''}\nI will kill myself\n`;
    for (const flags of [[], ['--lines']]) {
      const { out } = await succeed(['moderate', '--key-file', '-', ...flags], {
        stdin,
        env: { MODELWIRE_API_KEY: 'no' },
      });
      expect(out).toMatch(/^flagged\t.*I will kill myself\n$/);
    }
  });

  test('classifies each line of stdin in order', async () => {
    const { out } = await succeed(['moderate', '--lines', '--json'], { stdin: 'one\n\nI will kill myself\nthree' });
    expect(lines(out)).toMatchObject([
      { input: 'one' },
      { input: 'I will kill myself', result: { flagged: true } },
      { input: 'three' },
    ]);
  });
});

describe('files', () => {
  test('that do not exist locally are a usage error', async () => {
    for (const words of [
      ['files', 'create', 'nothing.pdf'],
      ['videos', 'create', 'A river', '--image', 'nothing.png'],
    ]) {
      const { code, err } = await runCommand(words, { env: server.env });
      expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('no such file')]);
    }
  });

  test('are created, listed, shown, downloaded, and deleted', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'notes.txt'), 'Rivers\n');
    const { id } = await one(['files', 'create', 'notes.txt'], { cwd });
    expect((await succeed(['files', 'list', '--purpose', 'user_data'])).out).toContain(`${String(id)}\tnotes.txt\t7 B`);
    expect((await succeed(['files', 'get', String(id)])).out).toContain('size\t7 B (7 bytes)');
    expect((await succeed(['files', 'download', String(id), '-o', '-'])).out).toBe('Rivers\n');
    const again = await runCommand(['files', 'download', String(id)], { cwd, env: server.env });
    expect([again.code, again.err]).toEqual([EXIT.usage, expect.stringContaining('already exists')]);
    await succeed(['files', 'download', String(id), '--force'], { cwd });
    mkdirSync(join(cwd, 'into'));
    await succeed(['files', 'download', String(id), '-o', 'into'], { cwd });
    expect(readdirSync(join(cwd, 'into'))).toEqual(['notes.txt']);
    expect(await one(['files', 'delete', String(id)])).toMatchObject({ deleted: true });
  });

  test('that do not exist on the server are an error with the request ID', async () => {
    const { code, err } = await runCommand(['files', 'get', 'file-none'], { env: server.env });
    expect(code).toBe(EXIT.notFound);
    expect(err).toMatch(/error: .*file-none.*\(request req_/);
  });
});

describe('upload', () => {
  const bytes = Buffer.alloc(300_000, 'river ');

  test('sends a file in parts, verifies it, and deletes the state', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'big.bin'), bytes);
    const result = await one(['upload', 'big.bin', '--part-size', '100000', '--md5'], { cwd });
    expect(result).toMatchObject({ status: 'completed', file: { bytes: 300_000, filename: 'big.bin' } });
    expect(readdirSync(join(cwd, '.local/state/modelwire/uploads'))).toEqual([]);
  });

  test('resumes after an error, without a key in its state file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'big.bin'), bytes);
    const proxy = await rejectingAfter(3);
    const words = ['upload', 'big.bin', '--part-size', '100000', '-j', '1', '--state', 'state.json', '--retries', '0'];
    const broken = await runCommand(words, { cwd, env: { ...server.env, MODELWIRE_BASE_URL: proxy.url } });
    expect(broken.code).toBe(EXIT.server);
    expect(broken.err).toContain('run the same command again');
    expect(readFileSync(join(cwd, 'state.json'), 'utf8')).not.toContain(server.env['MODELWIRE_API_KEY']);
    expect(statSync(join(cwd, 'state.json')).mode & 0o777).toBe(0o600);
    proxy.open();
    const rest = await runCommand([...words, '--json'], { cwd, env: { ...server.env, MODELWIRE_BASE_URL: proxy.url } });
    expect(rest.code).toBe(EXIT.ok);
    expect(lines(rest.out)).toMatchObject([{ status: 'completed', file: { bytes: 300_000 } }]);
    // One part was uploaded by the first attempt, two by the second.
    expect(proxy.passed.filter((path) => path.endsWith('/parts'))).toHaveLength(3);
  });

  /** A proxy that forwards a number of requests and rejects others until it is opened. */
  async function rejectingAfter(count: number) {
    let open = false;
    const passed: string[] = [];
    const http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (!open && passed.length >= count - 1) {
          response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"broken"}}');
          return;
        }
        const path = request.url ?? '';
        passed.push(path);
        const { authorization = '', 'content-type': type = '' } = request.headers;
        void fetch(`${server.url}${path}`, {
          method: request.method ?? 'GET',
          headers: { authorization, 'content-type': type },
          body: Buffer.concat(chunks),
        }).then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
        });
      });
    });
    return { url: `http://${await listenForTest(http)}/v1`, passed, open: () => (open = true) };
  }
});

describe('batches', () => {
  const wait = ['--poll', '0.05'];

  test('runs a prompt for each line, and prints the replies in input order', async () => {
    const template = '{"temperature":0,"messages":[{"role":"user","content":"What is {{line}} * 10?"}]}';
    const words = ['batches', 'run', '-', '--template', template, '--text', ...wait];
    const { out } = await succeed(words, { stdin: '1\n\n2\n3\n' });
    const answers = out.trim().split('\n');
    expect(answers).toHaveLength(3);
    for (const [at, answer] of answers.entries()) expect(answer).toContain(`${at + 1}0`);
  });

  test('accepts complete requests, and is created, awaited, listed, and read step by step', async () => {
    const cwd = folder();
    const request = (id: string, content: string) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'simulator', messages: [{ role: 'user', content }] },
      });
    writeFileSync(join(cwd, 'in.jsonl'), `${request('a', 'Hello')}\n${request('b', 'Hello')}\n`);
    const { id } = await one(['batches', 'create', 'in.jsonl', '--metadata', 'of=test'], { cwd });
    expect(await one(['batches', 'wait', String(id), ...wait])).toMatchObject({
      status: 'completed',
      metadata: { of: 'test' },
    });
    expect((await succeed(['batches', 'list'])).out).toContain(String(id));
    expect((await succeed(['batches', 'get', String(id)])).out).toContain('2 of 2 completed, 0 failed');
    const results = lines((await succeed(['batches', 'results', String(id), '--json'])).out);
    expect(results).toMatchObject([{ custom_id: 'a', response: { status_code: 200 } }, { custom_id: 'b' }]);
  });

  test('accepts a JSON template, and other endpoints', async () => {
    const words = [
      'batches',
      'run',
      '-',
      '--endpoint',
      '/v1/moderations',
      '--template',
      '{"input":"I {{verb}} you"}',
      ...wait,
    ];
    const { out } = await succeed(words, {
      stdin: '{"verb":"love"}\n{"verb":"will kill myself, goodbye to all of"}\n',
    });
    expect(out).toMatch(/line-1\t200\tnot flagged\nline-2\t200\tflagged\n/);
  });

  test.each(['/v1/responses', '/v1/completions'])('sends prompts to %s, and prints the texts', async (endpoint) => {
    const words = [
      'batches',
      'run',
      '-',
      '--endpoint',
      endpoint,
      '-m',
      'simulator',
      '-p',
      'Say {{line}}',
      '--text',
      ...wait,
    ];
    const { out } = await succeed(words, { stdin: 'one\ntwo\n' });
    expect(out).not.toContain('{');
    expect(out.trim().split('\n').length).toBeGreaterThanOrEqual(2);
  });

  test('takes the endpoint of complete requests from their url', async () => {
    const request = {
      custom_id: 'a',
      method: 'POST',
      url: '/v1/embeddings',
      body: { model: 'simulator-embedding', input: 'rivers' },
    };
    const { out } = await succeed(['batches', 'run', '-', '--json', ...wait], {
      stdin: `${JSON.stringify(request)}\n`,
    });
    expect(lines(out)).toMatchObject([{ custom_id: 'a', response: { status_code: 200 } }]);
  });

  test('requires a model for embeddings', async () => {
    const words = ['batches', 'create', '-', '--endpoint', '/v1/embeddings', '-p', '{{line}}'];
    const { code, err } = await runCommand(words, { env: server.env, stdin: 'rivers\n' });
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('Missing required option --model.')]);
  });

  test('exits with 10 and lists them if requests fail', async () => {
    const words = ['batches', 'run', '-', '-m', 'no-such-model', '-p', '{{line}}', '--failed', ...wait];
    const { code, out } = await runCommand(words, { env: server.env, stdin: 'Hello\n' });
    expect(code).toBe(EXIT.unsuccessful);
    expect(out).toContain('line-1\t404\terror:');
  });

  test.each([
    [['-p', 'the same for all'], 'does not contain {{line}}'],
    [['-p', '{{nothing}}'], 'Line 1 has no field "nothing"'],
    [['--template', '{"a"'], 'not valid JSON'],
  ])('rejects %j before anything is sent', async (flags, reason) => {
    const { code, err } = await runCommand(['batches', 'create', '-', ...flags], { env: server.env, stdin: 'x\n' });
    expect(code).toBe(EXIT.usage);
    expect(err).toContain(reason);
  });

  const request = '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":[]}}\n';
  test.each([
    [request, '-', ['--model', 'x'], '--model has no effect: the input contains complete requests'],
    [request, '-', ['--system', 'x'], '--system has no effect: the input contains complete requests'],
    ['{"messages":[]}\n', '-', ['--system', 'x'], '--system has no effect: the input contains the messages'],
    ['x\n', '-', ['--template', '{"a":"{{line}}"}', '--system', 'x'], 'the template contains the messages'],
    [
      'x\n',
      '-',
      ['--endpoint', '/v1/embeddings', '--model', 'm', '--system', 'x'],
      '--system has no effect: requests to /v1/embeddings have no instructions',
    ],
    ['', 'file-1', ['--prompt', '{{line}}'], '--prompt has no effect: an uploaded file contains complete requests'],
  ])('rejects options without effect: %j %s %j', async (stdin, input, flags, reason) => {
    const { code, err } = await runCommand(['batches', 'create', input, ...flags], { env: server.env, stdin });
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(reason)]);
  });

  test('is cancelled', async () => {
    const { id } = await one(['batches', 'create', '-', '-p', '{{line}}'], {
      stdin: 'Tell me about rivers\n'.repeat(50),
    });
    const result = await runCommand(['batches', 'cancel', String(id), '--json'], { env: server.env });
    // The server rejects it if the batch has already ended.
    expect([EXIT.ok, EXIT.rejected]).toContain(result.code);
  });
});

describe('videos', () => {
  test('is created, awaited, saved, remixed, extended, listed, and deleted', async () => {
    const cwd = folder();
    const result = await succeed(
      ['videos', 'create', 'A', 'river', '-m', 'pattern', '--seconds', '4', '-o', 'river.mp4', '--poll', '0.05'],
      {
        cwd,
      },
    );
    expect(result.out).toBe(`${join(cwd, 'river.mp4')}\n`);
    expect(readFileSync(join(cwd, 'river.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    const [{ id } = { id: '' }] = lines((await succeed(['videos', 'list', '--json'])).out) as { id: string }[];
    expect((await succeed(['videos', 'get', id])).out).toContain('completed, 100%');
    await succeed(['videos', 'download', id, '--variant', 'thumbnail', '-o', 'small.webp'], { cwd });
    expect(readFileSync(join(cwd, 'small.webp')).subarray(8, 12).toString()).toBe('WEBP');
    const opened = await succeed(['videos', 'open', id, '--with', 'ls'], { cwd });
    expect(opened.err).toContain('Opened with ls');
    const remix = await one(['videos', 'remix', id, 'By', 'night', '--wait', '--poll', '0.05']);
    expect(remix).toMatchObject({ status: 'completed', remixed_from_video_id: id, prompt: 'By night' });
    const longer = await one(['videos', 'extend', id, 'It', 'rains', '--seconds', '8', '--wait', '--poll', '0.05']);
    expect(longer).toMatchObject({ status: 'completed', seconds: '12', prompt: 'It rains' });
    expect(await one(['videos', 'delete', id])).toMatchObject({ deleted: true });
  });

  test('is edited, as one of the server and as a file, which is also extended', async () => {
    const cwd = folder();
    for (const name of ['boat.mp4', 'boat'])
      writeFileSync(join(cwd, name), mp4Of({ width: 1280, height: 720, seconds: 4 }));
    const ended = ['--wait', '--poll', '0.05', '--json'];
    const made = async (words: string[]) =>
      JSON.parse((await succeed(['videos', ...words, ...ended], { cwd })).out) as { readonly id: string };
    const { id } = await made(['create', 'A boat', '-m', 'pattern']);
    expect(await made(['edit', id, 'A', 'red', 'boat'])).toMatchObject({ remixed_from_video_id: id });
    for (const file of ['boat.mp4', 'boat'])
      expect(await made(['edit', file, 'A red boat'])).toMatchObject({
        ...{ size: '1280x720', seconds: '4', prompt: 'A red boat', remixed_from_video_id: null },
      });
    const extension = await made(['extend', './boat.mp4', 'It sinks', '--seconds', '8']);
    expect(extension).toMatchObject({ size: '1280x720', seconds: '12', remixed_from_video_id: null });
    const { code, err } = await runCommand(['videos', 'edit', 'nothing', 'A river'], { env: server.env });
    expect([code, err]).toEqual([
      EXIT.usage,
      expect.stringContaining('nothing is neither a video ID (video_…) nor a file'),
    ]);
  });

  test('exits with 10 and prints the reason if the video fails', async () => {
    const { code, out } = await runCommand(['videos', 'create', 'fail', '-m', 'pattern', '--wait', '--poll', '0.05'], {
      env: server.env,
    });
    expect(code).toBe(EXIT.unsuccessful);
    expect(out).toMatch(/^error\t/m);
  });
});

describe('models', () => {
  test('are listed and shown', async () => {
    expect((await succeed(['models', 'list'])).out).toMatch(/^simulator\tmodelwire\t/m);
    expect(await one(['models', 'get', 'simulator'])).toMatchObject({ id: 'simulator', object: 'model' });
  });

  test('are printed as a table with a header on a terminal', async () => {
    const { out } = await succeed(['models', 'list'], { tty: { stdout: true }, env: { NO_COLOR: '1' }, columns: 70 });
    expect(out).toMatch(/^id +owner +created\n/);
  });
});

describe('keys', () => {
  test('are created, printed once, listed without the secret, and revoked', async () => {
    const cwd = folder();
    const env = { MODELWIRE_LOG_LEVEL: 'silent', MODELWIRE_BASE_URL: '' };
    const { key, id } = await one(['keys', 'create', '--project', 'shop', '--name', 'till'], { cwd, env });
    const listed = await succeed(['keys', 'list'], { cwd, env });
    expect(listed.out).toContain('shop');
    expect(listed.out).not.toContain(String(key));
    expect(await one(['keys', 'revoke', String(id)], { cwd, env })).toMatchObject({ id });
    const { code, err } = await runCommand(['keys', 'create', '--role', 'king'], { cwd, env });
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('--role')]);
  });

  test('have limits that are set, changed and removed in this folder', async () => {
    const options = { cwd: folder(), env: { MODELWIRE_LOG_LEVEL: 'silent', MODELWIRE_BASE_URL: '' } };
    const models = ['--allow-model', 'a', '--allow-model', 'b'];
    const { id } = await one(['keys', 'create', ...models, '--max-output-tokens', '7'], options);
    const update = ['keys', 'update', String(id)];
    expect(await one([...update, '--name', 'till'], options)).toMatchObject({
      name: 'till',
      allowedModels: ['a', 'b'],
      maxOutputTokens: 7,
    });
    expect(await one([...update, '--allow-model', 'none', '--max-output-tokens', 'none'], options)).toMatchObject({
      allowedModels: null,
      maxOutputTokens: null,
    });
    const { code, err } = await runCommand(['keys', 'create', '--project', '..'], options);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('--project: expected 1 to 64 letters')]);
  });

  test('name the folder of the server that they are changed in', async () => {
    const cwd = folder();
    const { code, err } = await runCommand(['keys', 'list'], { cwd, env: { MODELWIRE_LOG_LEVEL: 'silent' } });
    expect([code, err]).toEqual([EXIT.ok, expect.stringContaining(`Server: ${join(cwd, '.modelwire')}`)]);
  });

  test.each([
    [['--base-url', 'http://127.0.0.1:1/v1', '--local'], {}, '--base-url'],
    [['--config', 'a.json'], { MODELWIRE_BASE_URL: 'http://127.0.0.1:1/v1' }, 'MODELWIRE_BASE_URL'],
  ])('are not changed when two servers are specified (%j %j)', async (words, env, source) => {
    const cwd = folder();
    const { code, err } = await runCommand(['keys', 'list', ...words], { cwd, env });
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(source)]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('are those of the server at the base URL if one is set, not of the folder', async () => {
    const cwd = folder();
    const env = { MODELWIRE_BASE_URL: 'http://127.0.0.1:1/v1' };
    const { code, err } = await runCommand(['keys', 'list', '--retries', '0'], { cwd, env });
    expect([code, err]).toEqual([EXIT.connection, expect.stringContaining('Server: http://127.0.0.1:1/v1')]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('are changed in this folder with --local although a base URL is set', async () => {
    const env = { MODELWIRE_LOG_LEVEL: 'silent', MODELWIRE_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect((await runCommand(['keys', 'list', '--local'], { env })).code).toBe(EXIT.ok);
  });
});

describe('usage', () => {
  test('shows requests and tokens by day and group', async () => {
    await succeed(['chat', '--max-tokens', '20', '-t', '0', 'Hello']);
    const local = { MODELWIRE_DATA: server.data, MODELWIRE_BASE_URL: '' };
    const { key } = await one(['keys', 'create', '--role', 'admin'], { env: local });
    const env = { MODELWIRE_API_KEY: String(key) };
    const [row] = lines((await succeed(['usage', '--json'], { env })).out);
    expect(row).toMatchObject({
      date: new Date().toISOString().slice(0, 10),
      num_model_requests: expect.any(Number) as unknown,
    });
    const words = ['usage', '--group-by', 'model', '--group-by', 'project', '--model', 'simulator', '--model', 'none'];
    expect((await succeed(words, { env })).out).toMatch(
      /^simulator\tdefault\t\d{4}-\d\d-\d\d\t[1-9]\d*\t[1-9]\d*\t\d+\t[1-9]\d*\n$/,
    );
    expect((await succeed(['usage', '--model', 'none'], { env })).out).toBe('');
  });
});

describe('datasets', () => {
  test('are created, listed, run again, compared by a judge, and downloaded', async () => {
    const topic = ['--metadata', 'topic=datasets'];
    for (const content of ['One', 'Two', 'Two'])
      await succeed(['chat', '--store', ...topic, '-t', '0', '--seed', '1', content]);
    const { id, counts } = await one(['datasets', 'create', '--name', 'numbers', ...topic]);
    expect(counts).toMatchObject({ completions: 3, lines: 2, duplicates: 1 });
    expect(lines((await succeed(['datasets', 'list', '--json'])).out)).toMatchObject([
      { id, filename: 'numbers.json' },
    ]);
    expect((await succeed(['datasets', 'get', String(id)])).out).toContain('lines\t2 of 3 completions, 1 duplicates');

    const rerun = await one(['datasets', 'rerun', String(id), '--set', 'temperature=1.5', '--set', 'seed=2']);
    expect(rerun).toMatchObject({ object: 'dataset.rerun', batch_ids: [expect.stringMatching(/^batch_/)] });
    const compare = [
      'datasets',
      'compare',
      String(id),
      String(rerun['id']),
      '--scorer',
      'normalized',
      '--regex',
      '(.|\\n)+',
    ];
    const comparison = await one([...compare, '--judge', 'simulator', '--criteria', 'It is short.']);
    expect(comparison['scorers']).toMatchObject([
      { type: 'normalized', scored: 2 },
      { type: 'regex', ties: 2 },
      { type: 'judge', scored: 2 },
    ]);
    expect((await succeed(['datasets', 'get', String(comparison['id'])])).out).toMatch(/judge\t.*win rate/);

    const cwd = folder();
    await succeed(['datasets', 'download', String(id)], { cwd });
    await succeed(['datasets', 'download', String(comparison['id'])], { cwd });
    expect(readdirSync(cwd).toSorted()).toEqual(['comparison.csv', 'comparison.jsonl', 'numbers.jsonl']);
  });

  test('say what is wrong: options without effect, other files, and errors of the server', async () => {
    const fail = async (...words: string[]) => (await runCommand(['datasets', ...words], { env: server.env })).err;
    expect(await fail('create', '--seed', '1')).toContain('--seed requires --test.');
    expect(await fail('compare', 'file-a', 'batch_a', '--judge', 'simulator')).toContain('--criteria');
    expect(await fail('rerun', 'file-none', '--model', 'simulator')).toContain('file-none');
    const cwd = folder();
    writeFileSync(join(cwd, 'notes.txt'), 'notes');
    const { id } = await one(['files', 'create', 'notes.txt', '--purpose', 'user_data'], { cwd });
    expect(await fail('get', String(id))).toContain('is no dataset and no comparison');
  });
});
