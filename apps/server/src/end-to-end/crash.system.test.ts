import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChat } from '@modelwire/chat';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf, key } from '../testing/test-server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 4);

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

function startIn(cwd: string): Promise<Started> {
  const child = spawn(process.execPath, [main], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', MODELWIRE_API_KEYS: key, MODELWIRE_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes.toString();
      const url = /curl (http:\S+?)\/v1\//.exec(out)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.once('close', () => reject(new Error(`the server ended: ${out}`)));
  });
}

test(`after ${kills} kills at random times under load, every acknowledged completion is stored completely`, async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-crash-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const acknowledged = new Map<string, string | null>();
  for (let kill = 0; kill < kills; kill++) {
    const { child, url } = await startIn(cwd);
    const { completions } = clientOf(url).chat;
    const { completions: ownClient } = createChat({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
    const exited = new Promise((resolve) => child.once('close', resolve));
    // Measured from the first response: a server that has just started is slower.
    let killing: NodeJS.Timeout | undefined;
    const ask = (n: number) => ({
      model: 'simulator',
      messages: [{ role: 'user' as const, content: `Repeat: line ${kill}-${n}` }],
      metadata: { round: String(kill) },
      store: true,
    });
    // Half of them without streaming, half with: only completely received ones are recorded.
    const load = Array.from({ length: 16 }, async (_, lane) => {
      for (let n = lane; ; n += 16) {
        // The official SDK ends the loop without [DONE] too; ours distinguishes a finished stream from a broken one.
        const completion = await (lane % 2 === 0 ? completions.create(ask(n)) : ownClient.stream(ask(n)).final());
        acknowledged.set(completion.id, completion.choices[0]?.message.content ?? null);
        killing ??= setTimeout(() => child.kill('SIGKILL'), Math.random() * 400);
      }
    });
    await Promise.allSettled(load);
    await exited;
  }
  const { child, url } = await startIn(cwd);
  const { completions } = clientOf(url).chat;
  const found = new Map<string, string | null>();
  for await (const { id, choices, usage } of completions.list({ limit: 100 })) {
    expect(choices[0]?.finish_reason).toBeTypeOf('string');
    expect(usage?.total_tokens).toBeGreaterThan(0);
    expect(found.has(id)).toBe(false);
    found.set(id, choices[0]?.message.content ?? null);
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills);
  for (const [id, content] of acknowledged) expect(found.get(id)).toBe(content);
  const [first] = acknowledged.keys();
  expect((await completions.messages.list(first ?? '')).data).toHaveLength(2);
  child.kill('SIGTERM');
}, 600_000);
