import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { Modelwire } from './index.ts';

const official = new OpenAI({ apiKey: 'key', baseURL: 'http://127.0.0.1:1/v1' });
const ours = new Modelwire({ apiKey: 'key', baseURL: 'http://127.0.0.1:1/v1' });

const resources = {
  'chat.completions': [official.chat.completions, ours.chat.completions],
  'chat.completions.messages': [official.chat.completions.messages, ours.chat.completions.messages],
  responses: [official.responses, ours.responses],
  'responses.inputItems': [official.responses.inputItems, ours.responses.inputItems],
  'responses.inputTokens': [official.responses.inputTokens, ours.responses.inputTokens],
  conversations: [official.conversations, ours.conversations],
  'conversations.items': [official.conversations.items, ours.conversations.items],
  embeddings: [official.embeddings, ours.embeddings],
  completions: [official.completions, ours.completions],
  files: [official.files, ours.files],
  uploads: [official.uploads, ours.uploads],
  'uploads.parts': [official.uploads.parts, ours.uploads.parts],
  batches: [official.batches, ours.batches],
  moderations: [official.moderations, ours.moderations],
  videos: [official.videos, ours.videos],
  models: [official.models, ours.models],
} as const;

/** The API has a part of the administration API: of these resources all methods, but not all nested resources. */
const administration = {
  'admin.organization.projects': [official.admin.organization.projects, ours.organization.projects],
  'admin.organization.projects.apiKeys': [
    official.admin.organization.projects.apiKeys,
    ours.organization.projects.apiKeys,
  ],
  'admin.organization.auditLogs': [official.admin.organization.auditLogs, ours.organization.auditLogs],
} as const;

/** Methods of endpoints that the API does not have, and `responses.parse`; the README names them too. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  models: ['delete'],
  responses: ['parse'],
  videos: ['createCharacter', 'edit', 'extend', 'getCharacter'],
};

/** What a resource of the official package has beside the client that it holds. */
function methodsOf(resource: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');
}

describe.each(Object.entries(resources))('%s', (name, [theirs, own]) => {
  const absent = ABSENT[name] ?? [];

  test('has every method of the official package, except for those that the README names', () => {
    const methods = methodsOf(theirs);
    expect(methods.length).toBeGreaterThan(0);
    const missing = methods.filter((method) => typeof Reflect.get(own, method) !== 'function');
    expect(missing.sort()).toEqual(absent);
  });

  test('has every nested resource', () => {
    const below = Object.entries(theirs).filter(([key, value]) => key !== '_client' && typeof value === 'object');
    expect(below.map(([key]) => key).filter((key) => typeof Reflect.get(own, key) !== 'object')).toEqual([]);
  });
});

test.each(Object.entries(administration))('%s has every method of the official package', (_, [theirs, own]) => {
  const methods = methodsOf(theirs);
  expect(methods.length).toBeGreaterThan(0);
  expect(methods.filter((method) => typeof Reflect.get(own, method) !== 'function')).toEqual([]);
});

test('the README lists each missing method', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [row = ''] = /^.*videos\.createCharacter.*$/m.exec(readme) ?? [];
  const [, ...others] = ABSENT['videos'] ?? [];
  for (const name of ['videos.createCharacter', ...others]) expect(row).toContain(`\`${name}\``);
  expect(readme).toContain('`responses.parse()`');
});
