import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { codeSample } from './code-samples.ts';

const baseURL = 'http://127.0.0.1:8787/v1';
const request = {
  model: 'simulator',
  messages: [{ role: 'user', content: `It's "quoted"\n$HOME \\ end` }] as const,
  store: true,
  seed: 7,
};

it('quotes the body for the shell', () => {
  const sample = codeSample('curl', baseURL, request);
  const script = sample.replace(/^curl/, `printf '%s\\n'`);
  const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: { MODELWIRE_API_KEY: 'k' } });
  const body: unknown = JSON.parse(output.slice(output.indexOf('-d\n') + 3));
  expect(body).toEqual({ ...request, stream: true });
  expect(output).toContain('Authorization: Bearer k');
});

it('writes Python literals', () => {
  const sample = codeSample('python', baseURL, request);
  expect(sample).toContain('store=True');
  expect(sample).toContain('seed=7');
  expect(sample).toContain(`base_url="${baseURL}"`);
  expect(sample).toContain('"content": "It\'s \\"quoted\\"\\n$HOME \\\\ end"');
});

it('writes a TypeScript program with the client of this repository', () => {
  const sample = codeSample('typescript', baseURL, request);
  expect(sample).toContain("from '@modelwire/client'");
  expect(sample).not.toContain('undefined');
});
