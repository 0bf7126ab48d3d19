import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { moderationCategories } from '@modelwire/ports';
import { banner } from './banner.ts';
import { readSettings } from '../config/settings.ts';
import { start } from './start.ts';
import { json, startRecordingUpstream } from '../testing/recording-upstream.ts';

/** Replaces curl, which may not be installed: accepts a URL, `-H` and `-d`, and prints the status and the body. */
const curl = `#!${process.execPath}
const args = process.argv.slice(2);
const of = (flag) => args.flatMap((arg, index) => (arg === flag ? [args[index + 1]] : []));
const headers = of('-H').map((header) => header.split(/: (.*)/s).slice(0, 2));
const [body] = of('-d');
fetch(args[0], { method: body === undefined ? 'GET' : 'POST', headers, body }).then(async (response) =>
  console.log(response.status, await response.text()),
);
`;

/** Runs the command of a banner in a shell, as if it were pasted. */
async function paste(printed: string, cwd: string): Promise<string> {
  const command = /^ {2}curl [^]*/m.exec(printed)?.[0] ?? '';
  const bin = mkdtempSync(join(tmpdir(), 'modelwire-curl-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  writeFileSync(join(bin, 'curl'), curl);
  chmodSync(join(bin, 'curl'), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  return (await promisify(execFile)('sh', ['-c', command], { cwd, env })).stdout;
}

async function startIn(env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-banner-'));
  const running = await start(await readSettings(folder, { PORT: '0', MODELWIRE_LOG_LEVEL: 'silent', ...env }));
  onTestFinished(async () => {
    await running.stop();
    rmSync(folder, { recursive: true });
  });
  return { folder, printed: banner(running, folder) };
}

test('prints a command that works when it is pasted', async () => {
  const { folder, printed } = await startIn({});
  expect(await paste(printed, folder)).toMatch(/^200 .*"model":"simulator"/);
});

test('tells where a model runs that the server runs itself, and what moderation does not judge', () => {
  const runtime = {
    ...{ backend: 'cuda', device: 'NVIDIA L4', gpu_layers: 20, layers: 33 },
    ...{ gpu_memory_bytes: 2 * 2 ** 30, memory_bytes: 2 ** 30, context_size: 4096, sequences: 8 },
  };
  const keys = { from: 'environment', count: 1, shortKeys: 0, file: undefined, created: undefined } as const;
  const models = () => [{ id: 'small', runtime }, { id: 'other' }];
  const unjudgedCategories = ['violence', 'illicit'] as const;
  const printed = banner(
    { url: 'http://localhost:8787', consoleUrl: undefined, keys, models, unjudgedCategories },
    '/',
  );
  expect(printed).toContain('small: cuda, NVIDIA L4, 20 of 33 layers, 3.0 GB, context of 8 x 4096 tokens\n');
  expect(printed).not.toContain('other:');
  expect(printed).toContain('moderation does not judge violence, illicit\n');
  const most = moderationCategories.filter((category) => !category.startsWith('self-harm'));
  const self = banner(
    { url: 'http://localhost:8787', consoleUrl: undefined, keys, models, unjudgedCategories: most },
    '/',
  );
  expect(self).toContain('moderation judges only self-harm, self-harm/intent, self-harm/instructions\n');
});

test('the command sends a message to a model that serves nothing else', () => {
  const keys = { from: 'environment', count: 1, shortKeys: 0, file: undefined, created: undefined } as const;
  const models = () => [{ id: 'claude', dialect: 'messages' as const }];
  const started = { url: 'http://localhost:8787', consoleUrl: undefined, keys, models, unjudgedCategories: [] };
  const printed = banner(started, '/');
  expect(printed).toContain('curl http://localhost:8787/v1/messages ');
  expect(printed).toContain('{"model":"claude","max_tokens":100,');
});

test('the command uses a chat model of the upstream, also if its name has quotes', async () => {
  const upstream = await startRecordingUpstream(
    ['omni-moderation-latest', 'a-embedding', "bob's chat", { id: 'a', type: 'image' }],
    {
      '/chat/completions': (response, { body }) =>
        json(response, 200, {
          id: 'x',
          object: 'chat.completion',
          created: 1,
          model: (JSON.parse(body.toString()) as { model: string }).model,
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        }),
    },
  );
  onTestFinished(() => upstream.close());
  const { folder, printed } = await startIn({ MODELWIRE_UPSTREAM_URL: upstream.baseURL });
  expect(printed).toContain("models     bob's chat\n");
  expect(await paste(printed, folder)).toMatch(/^200 .*"content":"Hi"/);
});

test('lists the models as long as there is no chat model', async () => {
  const upstream = await startRecordingUpstream(['text-embedding-3-small']);
  onTestFinished(() => upstream.close());
  const { folder, printed } = await startIn({ MODELWIRE_UPSTREAM_URL: upstream.baseURL });
  expect(await paste(printed, folder)).toMatch(/^200 .*text-embedding-3-small/);
});
