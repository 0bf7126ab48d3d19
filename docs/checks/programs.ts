import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A folder in this package, so that what runs there finds its dependencies; not in node_modules, where Node strips no types. */
export function programFolder(): string {
  const parent = fileURLToPath(new URL('../.turbo', import.meta.url));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a file to its end and gives what it printed. */
export async function runToEnd(folder: string, file: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
  const [out, err] = [collected(child.stdout), collected(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}: ${out.text}${err.text}`);
  return out.text;
}

/** Runs a file until the test is over. */
export function runBeside(folder: string, file: string, env: NodeJS.ProcessEnv = {}): { readonly said: () => string } {
  const child = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
  const [out, err] = [collected(child.stdout), collected(child.stderr)];
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  });
  return { said: () => out.text + err.text };
}

function collected(stream: NodeJS.ReadableStream): { text: string } {
  const kept = { text: '' };
  stream.on('data', (bytes: Buffer) => (kept.text += bytes.toString()));
  return kept;
}
