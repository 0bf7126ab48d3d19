import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { Modelwire } from './index.ts';

const official = new OpenAI({ apiKey: 'key', baseURL: 'http://127.0.0.1:1/v1' });
const ownClient = new Modelwire({ apiKey: 'key', baseURL: 'http://127.0.0.1:1/v1' });

const resources = {
  'chat.completions': [official.chat.completions, ownClient.chat.completions],
  'chat.completions.messages': [official.chat.completions.messages, ownClient.chat.completions.messages],
  responses: [official.responses, ownClient.responses],
  'responses.inputItems': [official.responses.inputItems, ownClient.responses.inputItems],
  'responses.inputTokens': [official.responses.inputTokens, ownClient.responses.inputTokens],
  conversations: [official.conversations, ownClient.conversations],
  'conversations.items': [official.conversations.items, ownClient.conversations.items],
  embeddings: [official.embeddings, ownClient.embeddings],
  completions: [official.completions, ownClient.completions],
  files: [official.files, ownClient.files],
  uploads: [official.uploads, ownClient.uploads],
  'uploads.parts': [official.uploads.parts, ownClient.uploads.parts],
  batches: [official.batches, ownClient.batches],
  moderations: [official.moderations, ownClient.moderations],
  videos: [official.videos, ownClient.videos],
  models: [official.models, ownClient.models],
} as const;

/** The API contains a part of the administration API: all methods of these resources, but not all nested resources. */
const administration = {
  'admin.organization.projects': [official.admin.organization.projects, ownClient.organization.projects],
  'admin.organization.projects.apiKeys': [
    official.admin.organization.projects.apiKeys,
    ownClient.organization.projects.apiKeys,
  ],
  'admin.organization.auditLogs': [official.admin.organization.auditLogs, ownClient.organization.auditLogs],
} as const;

/** Methods of endpoints that the API does not have, and `responses.parse`; the README names them too. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  models: ['delete'],
  responses: ['parse'],
  videos: ['createCharacter', 'getCharacter'],
};

/** The methods of a resource of the official package, without its reference to the client. */
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
