import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { listenForTest } from '@modelwire/vitest/listen';
import { describe, expect, test } from 'vitest';
import { fakeApp } from '../testing/fake-app.ts';
import { folder, runCommand } from '../testing/fake-terminal.ts';
import { fakeService } from '../testing/fake-service.ts';
import { candidatesOf } from './candidates.ts';
import { syntaxCheck } from '../testing/syntax-check.ts';

const words = async (...typed: string[]): Promise<string[]> =>
  (await candidatesOf(typed, fakeApp())).candidates.map(({ word }) => word);
const files = async (...typed: string[]): Promise<boolean> => (await candidatesOf(typed, fakeApp())).files;

describe('The completions of a word', () => {
  test('are commands, and commands of a group', async () => {
    expect(await words('ba')).toEqual(['batches']);
    expect(await words('batches', 'c')).toEqual(['create', 'cancel']);
    expect(await words('--json', 'batches', 'w')).toEqual(['wait']);
    expect(await words('')).not.toContain('__complete');
    expect(await words('nonsense', '')).toEqual([]);
    expect(await words('help', 'ba')).toEqual(['batches']);
    expect(await words('help', 'batches', 'w')).toEqual(['wait']);
    expect(await words('help', 'chat', '')).toEqual([]);
  });

  test('are options of the command and global options', async () => {
    expect(await words('chat', '--te')).toEqual(['--temperature']);
    expect(await words('files', 'list', '--js')).toEqual(['--json']);
  });

  test('are values of options and arguments', async () => {
    expect(await words('upload', '--purpose', 'ba')).toEqual(['batch']);
    expect(await words('upload', '--purpose=ba')).toEqual(['--purpose=batch']);
    expect(await words('completion', 'f')).toEqual(['fish']);
    expect(await words('config', 'set', 'base')).toEqual(['base-url']);
  });

  test('are files only where a file is expected', async () => {
    expect(await files('upload', '')).toBe(true);
    expect(await files('upload', 'one', '-q', '')).toBe(true);
    expect(await files('chat', '--file', '')).toBe(true);
    expect(await files('chat', '--temperature', '')).toBe(false);
    expect(await files('files', 'get', '')).toBe(false);
  });

  test('are profiles', async () => {
    const cwd = folder();
    await runCommand(['profiles', 'create', 'work', '--no-key'], { cwd });
    const { candidates } = await candidatesOf(['profiles', 'use', 'w'], fakeApp({ cwd }));
    expect(candidates).toEqual([{ word: 'work' }]);
    expect((await candidatesOf(['--profile', ''], fakeApp({ cwd }))).candidates).toEqual([{ word: 'work' }]);
  });

  test('are saved chats', async () => {
    const cwd = folder();
    const { env } = await fakeService();
    await runCommand(['chat', 'Hello'], { cwd, env });
    const { candidates } = await candidatesOf(['chat', '--resume', '2'], fakeApp({ cwd }));
    expect(candidates).toEqual([{ word: expect.stringMatching(/^2\d+-/) as unknown }]);
  });

  test('are the models of the server that the line names', async () => {
    const model = { id: 'named-1', object: 'model', created: 1, owned_by: 'test' };
    const http = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [model] }));
    });
    const url = `http://${await listenForTest(http)}/v1`;
    expect(await words('chat', '--base-url', url, '--model', 'na')).toEqual(['named-1']);
    expect(await words('--key-file=-', `--base-url=${url}`, 'chat', '-m', '')).toEqual(['named-1']);
    const cwd = folder();
    await runCommand(['profiles', 'create', 'work', '--no-key', '--base-url', url], { cwd });
    const typed = ['--profile', 'work', 'chat', '--model=n'];
    expect((await candidatesOf(typed, fakeApp({ cwd }))).candidates).toEqual([{ word: '--model=named-1' }]);
  });

  test('contain no models if the server does not respond with them', async () => {
    const { env } = await fakeService('', 500);
    expect(await candidatesOf(['chat', '-m', ''], fakeApp({ env }))).toEqual({ candidates: [], files: false });
  });
});

describe('The script', () => {
  test('of bash has no syntax errors', () => {
    expect(syntaxCheck('bash')).toEqual([0, '']);
  });

  test('of bash completes commands, values after an equals sign, and files', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'bin'));
    const main = fileURLToPath(new URL('../main.ts', import.meta.url));
    writeFileSync(join(cwd, 'bin/modelwire'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(join(cwd, 'bin/modelwire'), 0o755);
    writeFileSync(join(cwd, 'notes of today.txt'), '');
    const script = `source <(modelwire completion bash)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _modelwire; printf '%s\\n' "\${COMPREPLY[*]}"; }
try modelwire ba; try modelwire batches c; try modelwire upload --purpose = ba; try modelwire upload no`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      cwd,
      env: { PATH: `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: cwd },
    });
    expect(stdout.split('\n')).toEqual(['batches', 'create cancel', 'batch', 'notes of today.txt', '']);
  });
});
