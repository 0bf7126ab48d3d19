import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Modelwire } from '@modelwire/client';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openPage, signIn } from './testing/browser.ts';
import type { OpenOptions } from './testing/browser.ts';
import { createBatch } from './testing/create-batch.ts';
import { openSignedIn, startConsole } from './testing/start-console.ts';

/** Reads its job and copies the source to its output. */
const copySource = `
let job = '';
process.stdin.on('data', (chunk) => (job += chunk)).on('end', () => {
  const { source, output } = JSON.parse(job);
  require('node:fs').copyFileSync(source.video, output + '/video.mp4');
});`;
// So slow that a batch of 5,000 requests runs for more than ten seconds.
const running = await startConsole({
  ...{ simulator: { firstTokenDelayMs: 20 }, batchConcurrency: 8 },
  videos: { command: { command: process.execPath, args: ['-e', copySource], models: { copy: { extend: true } } } },
});
const { server, browser, api } = running;

const openConsole = (path: string, options: Partial<OpenOptions> = {}): Promise<Page> =>
  openSignedIn(running, path, options);

const batchLine = (id: string, body: object): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body })}\n`;
/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const messages = [{ role: 'user', content: 'Hello!' }] as const;

/** What the browser keeps of the key or person that is signed in. */
const personalData = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify(Object.entries(localStorage).filter(([key]) => key.startsWith('modelwire-personal:'))),
  );

test('a browser that opens / is redirected to the console, and the printed link signs in once', async () => {
  const { page, context } = await openPage(browser, server);
  onTestFinished(() => context.close());
  await page.goto(`${server.url}/`);
  expect(page.url()).toBe(`${server.url}/console/`);
  expect(server.printed.trim().split('\n')[0]).toBe(`Console: ${server.consoleURL}`);
  const { search, hash } = new URL(server.consoleURL);
  expect(search).toBe('');
  expect(hash).toMatch(/^#code=[\w-]{43}$/);
  await page.getByLabel('API key').waitFor();
  await page.goto(server.consoleURL);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  expect(page.url()).not.toContain('code=');
  const cookies = await context.cookies();
  expect(cookies).toMatchObject([{ name: 'modelwire_session', httpOnly: true, sameSite: 'Strict' }]);
  expect(
    await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])),
  ).not.toContain(server.key);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  await page.goto(server.consoleURL);
  await page.getByText('The key or the code is not valid.').waitFor();
});

test('playground: streams a reply with its statistics, edits, regenerates, stores, and shows log probabilities', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('Store replies under Completions').check();
  await page.getByLabel('Log probabilities').check();
  await page.getByLabel('Message', { exact: true }).fill('Tell me about rivers.');
  await page.keyboard.press('Enter');
  await page.getByText('The reply is complete.').waitFor();
  await page.getByText(/\d+ output tokens · first token after/).waitFor();
  const tokens = page.getByRole('group', { name: 'Tokens. Arrow keys choose a token.' }).locator('span');
  expect(await tokens.count()).toBeGreaterThan(2);
  for (const index of [2, 1]) {
    await tokens.nth(index).hover();
    const token = (await tokens.nth(index).textContent()) ?? '';
    await page.getByText(`Probability of ${JSON.stringify(token)} and its alternatives`, { exact: true }).waitFor();
    expect(await page.locator('.alternatives tr').count()).toBe(5);
    expect(await page.locator('.alternatives td').first().textContent()).toMatch(/^\d+\.\d\d %$/);
  }
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edited message').fill('Tell me about lakes.');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The reply is complete.').waitFor();
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('The reply is complete.').waitFor();
  expect(await page.locator('.turn').count()).toBe(2);
  await page.getByRole('link', { name: 'Open in Completions' }).click();
  await page.getByRole('heading', { name: 'Tell me about lakes.', level: 1 }).waitFor();
  await page.getByText('Tell me about lakes.').first().waitFor();
});

test('playground: compares two models, shows the request as code, and a link restores the set-up', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('System prompt').fill('Be brief.');
  await page.getByLabel('Temperature').fill('0.5');
  await page.getByRole('button', { name: 'Compare two models' }).click();
  await page.getByLabel('Second model').selectOption('simulator');
  await page.getByLabel('Message', { exact: true }).fill('Hello!');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('The reply is complete.').count()).toBe(2);
  const panes = [
    page.getByRole('region', { name: 'Conversation', exact: true }),
    page.getByRole('region', { name: 'Second conversation' }),
  ] as const;
  const [left, right] = await Promise.all(panes.map((pane) => pane.boundingBox()));
  // Side by side, of the same width.
  expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0));
  expect(right?.y).toBe(left?.y);
  expect(Math.abs((right?.width ?? 0) - (left?.width ?? 0))).toBeLessThan(2);

  await page.getByRole('button', { name: 'Code' }).click();
  const dialog = page.getByRole('dialog', { name: 'This request as code' });
  for (const [language, text] of [
    ['curl', '"temperature": 0.5'],
    ['Python', 'temperature=0.5'],
    ['TypeScript', 'client.chat.completions.stream('],
  ] as const) {
    await dialog.getByRole('button', { name: language, exact: true }).click();
    await dialog.getByText(text).waitFor();
  }
  await page.getByRole('button', { name: 'Close' }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(link);
  await expect.poll(() => page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
  expect(await page.getByLabel('Temperature').inputValue()).toBe('0.5');
  expect(await page.getByText('Hello!').count()).toBeGreaterThan(0);
  expect(await page.getByLabel('Second model').inputValue()).toBe('simulator');

  // Both replies can be stopped together, or each alone.
  await page.route('**/chat/completions', () => {});
  for (const pane of panes) await pane.getByRole('button', { name: 'Edit' }).last().waitFor();
  await page.getByLabel('Message', { exact: true }).fill('And again');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('Generating…').count()).toBe(2);
  await panes[0].getByRole('button', { name: 'Stop this reply' }).click();
  await panes[0].getByText('Stopped.').waitFor();
  expect(await panes[1].getByText('Generating…').count()).toBe(1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await panes[1].getByText('Stopped.').waitFor();
});

test('playground: dropped text and PDF files are sent as file parts, and the text is read by the model', async () => {
  const page = await openConsole('playground');
  const requested = page.waitForRequest((request) => request.url().endsWith('/chat/completions'));
  const pdf =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj trailer<</Root 1 0 R>>';
  await page.route('**/chat/completions', (route) => route.abort());
  await drop(page, '.composer', [
    { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('The river is called Aare.') },
    { name: 'paper.pdf', type: 'application/pdf', bytes: Buffer.from(pdf) },
  ]);
  const attachments = page.getByRole('list', { name: 'Attachments' });
  await attachments.getByText('notes.txt').waitFor();
  await attachments.getByText('paper.pdf').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Read them');
  await page.keyboard.press('Enter');
  const body: unknown = (await requested).postDataJSON();
  expect(body).toHaveProperty('messages.0.content.0', { type: 'text', text: 'Read them' });
  const files = [
    { type: 'file', file: { filename: 'notes.txt', file_data: dataURL('text/plain', 'The river is called Aare.') } },
    { type: 'file', file: { filename: 'paper.pdf', file_data: dataURL('application/pdf', pdf) } },
  ];
  // Files are read concurrently, so their order is not fixed.
  expect(body).toHaveProperty('messages.0.content', expect.arrayContaining(files));
  await page.unroute('**/chat/completions');

  await page.getByRole('button', { name: 'Clear' }).click();
  const inputTokens = async (): Promise<number> =>
    Number(
      /([\d,]+) input tokens/.exec((await page.locator('.figures').textContent()) ?? '')?.[1]?.replaceAll(',', ''),
    );
  const long = 'The river is called Aare. '.repeat(50);
  await drop(page, '.composer', [{ name: 'long.txt', type: 'text/plain', bytes: Buffer.from(long) }]);
  await attachments.getByText('long.txt').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Summarize');
  await page.keyboard.press('Enter');
  await page.getByText('The reply is complete.').waitFor();
  await page.getByRole('list', { name: 'Messages' }).getByText('long.txt', { exact: true }).waitFor();
  expect(await inputTokens()).toBeGreaterThan(200);
});

const dataURL = (type: string, text: string): string => `data:${type};base64,${Buffer.from(text).toString('base64')}`;

interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Drops files on an element, like a user who drags them from a folder. */
async function drop(page: Page, selector: string, files: readonly DroppedFile[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (dropped) => {
      const transfer = new DataTransfer();
      for (const { name, type, bytes } of dropped)
        transfer.items.add(new File([Uint8Array.from(bytes)], name, { type }));
      return transfer;
    },
    files.map((file) => ({ ...file, bytes: [...file.bytes] })),
  );
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
}

test('playground: an invalid field and an error of the server are shown with advice', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('Tools (JSON array)').fill('[');
  await page.getByLabel('Message', { exact: true }).fill('Hello!');
  await page.keyboard.press('Enter');
  await page.getByText('Tools: invalid JSON.').waitFor();
  const problem = await page.getByLabel('Tools (JSON array)').getAttribute('aria-describedby');
  expect(await page.locator(`[id="${problem ?? ''}"]`).textContent()).toContain('JSON');
  await page.getByLabel('Tools (JSON array)').fill('');
  await page.getByLabel('Temperature').fill('9');
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('The reply failed.').waitFor();
  await page.getByText('Request ID', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('req_').isVisible()).toBe(true);
});

test('playground: replaces variables, and opens conversations again until their user signs out', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('System prompt').fill('You are in {{city}}.');
  await page.getByLabel('Variable city').fill('Lyon');
  await page.getByLabel('Message', { exact: true }).fill('What opens at {{time}}?');
  await page.getByLabel('Variable time').fill('noon');
  const requested = page.waitForRequest((request) => request.url().endsWith('/chat/completions'));
  await page.getByLabel('Message', { exact: true }).press('Enter');
  expect((await requested).postDataJSON()).toMatchObject({
    messages: [{ content: 'You are in Lyon.' }, { content: 'What opens at noon?' }],
  });
  await page.getByText('The reply is complete.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('System prompt').fill('');
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'What opens at {{time}}?' }).click();
  await page.locator('.turn.assistant').waitFor();
  expect(await page.getByLabel('System prompt').inputValue()).toBe('You are in {{city}}.');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await personalData(page)).toBe('[]');
});

test('playground: keeps the set-up and conversations when a session expires, until another key signs in', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('System prompt').fill('For me alone.');
  await page.getByLabel('Message', { exact: true }).fill('Is it mine?');
  await page.keyboard.press('Enter');
  await page.getByText('The reply is complete.').waitFor();
  await page.context().clearCookies();
  await signIn(page, server.url, server.key);
  for (const text of ['For me alone.', 'Is it mine?']) expect(await personalData(page)).toContain(text);
  const data = { key: await server.createKey('full') };
  await page.context().clearCookies();
  await page.request.post(`${server.url}/console/api/session`, { data });
  await page.goto(`${server.url}/console/playground`);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByText('None yet.').waitFor();
  for (const text of ['For me alone.', 'Is it mine?']) expect(await personalData(page)).not.toContain(text);
});

test('playground: disables parameters that the model refuses, with the reason, and does not send them', async () => {
  const capabilities = await api.models.capabilities('simulator');
  const parameters = { ...capabilities.parameters, seed: 'refused', logprobs: 'refused', reasoning_effort: 'refused' };
  const page = await openConsole('playground');
  await page.getByLabel('Seed').fill('7');
  await page.getByLabel('Top P').fill('0.5');
  await page.route('**/capabilities/simulator', (route) =>
    route.fulfill({ json: { ...capabilities, tool_types: [], parameters } }),
  );
  await page.reload();
  const seed = page.getByLabel('Seed');
  await expect.poll(() => seed.isDisabled()).toBe(true);
  expect(await seed.inputValue()).toBe('');
  expect(await page.getByLabel('Top P').inputValue()).toBe('0.5');
  expect(await page.getByText('Not supported by simulator').count()).toBe(4);
  for (const label of ['Log probabilities', 'Reasoning effort', 'Tools (JSON array)'])
    expect(await page.getByLabel(label).isDisabled(), label).toBe(true);
  const requested = page.waitForRequest((request) => request.url().endsWith('/chat/completions'));
  await page.getByLabel('Message', { exact: true }).fill('Hello!');
  await page.keyboard.press('Enter');
  const body: unknown = (await requested).postDataJSON();
  expect(body).toMatchObject({ top_p: 0.5 });
  expect(body).not.toHaveProperty('seed');
});

test('playground: offers chat models only; takes tools, a schema and dropped images; Escape stops a reply', async () => {
  const page = await openConsole('playground');
  const select = page.getByRole('combobox', { name: 'Model' });
  await expect.poll(() => select.inputValue()).toBe('simulator');
  const models = await select.getByRole('option').allTextContents();
  expect(models.filter((id) => /moderation|embedding|storyboard/.test(id))).toEqual([]);
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  await page.getByLabel('Output schema (JSON)').fill(JSON.stringify(schema));
  await page.getByLabel('Message', { exact: true }).fill('A number');
  await drop(page, '.composer', [{ name: 'dot.png', type: 'image/png', bytes: png }]);
  await page.getByRole('list', { name: 'Attachments' }).getByText('dot.png').waitFor();
  await page.getByLabel('Message', { exact: true }).press('Control+Enter');
  await page.getByText('The reply is complete.').waitFor();
  await page.getByRole('img', { name: 'Attachment 1' }).waitFor();
  expect(await page.locator('.turn.assistant .markdown').textContent()).toMatch(/^\{\s*"n":\s*-?\d+\s*\}$/);

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Output schema (JSON)').fill('');
  const tool = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } };
  await page.getByLabel('Tools (JSON array)').fill(JSON.stringify([tool]));
  await page.getByLabel('Message', { exact: true }).fill('Call weather');
  await page.keyboard.press('Enter');
  await page.getByLabel('Result of weather').fill('Rain');
  await page.getByRole('button', { name: 'Send results' }).click();
  await expect.poll(() => page.locator('.turn').count()).toBe(4);
  await page.getByText('The reply is complete.').waitFor();

  await page.route('**/chat/completions', () => {});
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('Generating…').waitFor();
  await page.locator('body').press('Escape');
  await page.getByText('Stopped.').waitFor();
});

test('completions: filters are in the URL; metadata can be edited; a completion can be rerun and deleted', async () => {
  const create = (team: string) =>
    api.chat.completions.create({ model: 'simulator', store: true, metadata: { team }, messages });
  const { id } = await create('search');
  await create('other');
  const page = await openConsole('completions?metadata=team%3Dsearch');
  await page.getByRole('region', { name: 'Completions' }).waitFor();
  expect(await page.locator('tbody tr:not(.spacer)').count()).toBe(1);
  await page.getByRole('button', { name: 'Created' }).click();
  await expect.poll(() => page.url()).toContain('order=asc');
  await page.goto(`${server.url}/console/completions/${id}`);
  await page.getByRole('button', { name: 'Edit metadata' }).click();
  await page.getByLabel('One key=value per line').fill('team=search\nrun=7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('run', { exact: true }).waitFor();
  const stored = await api.chat.completions.retrieve(id);
  expect(stored.metadata).toEqual({ team: 'search', run: '7' });
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  await page.getByRole('list', { name: 'Messages' }).getByText('Hello!', { exact: true }).waitFor();
  await page.goto(`${server.url}/console/completions/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete completion' }).click();
  await page.getByRole('heading', { name: 'Completions' }).waitFor();
  await expect(api.chat.completions.retrieve(id)).rejects.toThrow();
});

test('completions: are searched by their text; a search without words is marked', async () => {
  const create = (content: string) =>
    api.chat.completions.create({ model: 'simulator', store: true, messages: [{ role: 'user', content }] });
  await create('When does the museum of clocks close?');
  await create('When does the museum of maps close?');
  const page = await openConsole('completions');
  const search = page.getByLabel('Search', { exact: true });
  const rows = page.locator('tbody tr:not(.spacer)');
  await search.fill('"museum of" clock*');
  await search.press('Enter');
  await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('museum of clocks')]);
  expect(page.url()).toContain('search=');
  await search.fill('"of museum"');
  await search.press('Enter');
  await page.getByText('No completion matches the filters').waitFor();
  await search.fill('***');
  await search.press('Enter');
  await page.getByText('it has no letters or digits').waitFor();
  expect(await search.getAttribute('aria-invalid')).toBe('true');
});

test('lists: one fills the window and scrolls alone; rows are cards at 390 px; tags that do not fit are counted', async () => {
  const metadata = { run: 'lists', team: 'search', release: '1' };
  const request = { model: 'simulator', store: true, metadata, messages } as const;
  await Promise.all(Array.from({ length: 30 }, () => api.chat.completions.create(request)));
  const page = await openConsole('completions?metadata=run%3Dlists', { width: 1800 });
  const list = page.getByRole('region', { name: 'Completions' });
  await expect.poll(() => list.getByRole('row').count()).toBeGreaterThan(10);
  const { y = 0, height = 0 } = (await list.boundingBox()) ?? {};
  expect(y + height).toBe(900 - 16);
  await list.hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBe(400);
  expect(await page.evaluate(() => [scrollY, document.documentElement.scrollHeight])).toEqual([0, 900]);
  await page.keyboard.press('j');
  await page.getByRole('complementary', { name: 'Completion' }).waitFor();
  const beside = (await list.boundingBox()) ?? { y: 0, height: 0 };
  expect(beside.y + beside.height).toBe(900 - 16);
  await page.keyboard.press('Escape');
  const cell = list.getByTitle('run=lists, team=search, release=1').first();
  await cell.getByText('+2').waitFor();
  expect(await cell.getByText('run=lists').isVisible()).toBe(true);
  expect(await cell.getByText('team=search').isVisible()).toBe(false);

  await list.evaluate((element) => element.scrollTo(0, 0));
  await page.setViewportSize({ width: 390, height: 900 });
  const card = page.getByRole('list', { name: 'Completions, cards' }).getByRole('listitem').first();
  await card.getByText('simulator', { exact: true }).waitFor();
  expect(await list.getByRole('row').count()).toBe(0);
  await card.getByText('More').click();
  await card.getByText('team=search').waitFor();
});

test('completions: the list is filtered by time and has no contents; the reply is shown once', async () => {
  const { id, created } = await api.chat.completions.create({ model: 'simulator', store: true, messages });
  const page = await openConsole('');
  const listed = page.waitForResponse((response) => response.url().includes('/chat/completions?'));
  await page.goto(`${server.url}/console/completions?start_time=${created}`);
  const list: unknown = await (await listed).json();
  expect(list).toHaveProperty('data.0.choices', []);
  await page.getByRole('checkbox', { name: `Select ${id}` }).waitFor();
  await page.getByLabel('Before').fill('2020-01-01T00:00');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No completion matches the filters' }).waitFor();
  expect(page.url()).toMatch(new RegExp(`start_time=${created}.*end_time=\\d+`));
  await page.goto(`${server.url}/console/completions/${id}`);
  await page.getByRole('region', { name: 'Messages' }).getByText('Hello!').waitFor();
  expect(await page.locator('.turn').count()).toBe(1);
  expect(await page.getByRole('region', { name: 'Choice 1' }).count()).toBe(1);
});

test('completions: all parameters are shown, sent again by the playground, and exported', async () => {
  const parameters = {
    ...{ model: 'simulator', max_completion_tokens: 40, stop: ['END', 'STOP'], logprobs: true, top_logprobs: 2 },
    ...{ presence_penalty: 0.5, temperature: 0.5, seed: 7 },
  };
  const { id } = await api.chat.completions.create({ ...parameters, store: true, messages });
  const page = await openConsole(`completions/${id}`);
  const facts = page.locator('dl.grid div');
  const fact = (name: string): Promise<string | null> => facts.filter({ hasText: name }).locator('dd').textContent();
  await page.getByText('Parameters and IDs').click();
  await page.getByText('Maximum tokens').waitFor();
  expect(await fact('Maximum tokens')).toBe('40');
  expect(await fact('Stop sequences')).toBe('"END", "STOP"');
  expect(await fact('Log probabilities')).toBe('yes');
  expect(await fact('Reasoning effort')).toBe('–');
  await page.getByRole('region', { name: 'Other parameters' }).getByText('"top_logprobs": 2').waitFor();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).first().click();
  const [requested] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/chat/completions')),
    page.getByRole('button', { name: 'Send again' }).click(),
  ]);
  expect(requested.postDataJSON()).toMatchObject({ ...parameters, messages });
  await page.getByText('The reply is complete.').waitFor();
  await page.goto(`${server.url}/console/completions`);
  await page.getByRole('checkbox', { name: `Select ${id}` }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export JSONL' }).click();
  const line: unknown = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(line).toHaveProperty('body', { ...parameters, store: true, messages });
});

test('completions: selected completions are exported as batch lines, and run again as a batch', async () => {
  const create = (content: string) =>
    api.chat.completions.create({
      ...{ model: 'simulator', store: true, metadata: { for: 'batch' }, temperature: 0.5, user: 'ann' },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content },
      ],
    });
  const first = await create('One');
  await create('Two');
  const page = await openConsole('completions?metadata=for%3Dbatch');
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('checkbox', { name: `Select ${first.id}` }).uncheck();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('checkbox', { name: `Select ${first.id}` }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export JSONL' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines[1] ?? '')).toEqual({
    custom_id: first.id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model: 'simulator',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One' },
      ],
      temperature: 0.5,
      user: 'ann',
      store: true,
      metadata: { for: 'batch' },
    },
  });
  await page.getByRole('button', { name: 'Create batch' }).click();
  await page.getByText('completed', { exact: true }).waitFor();
  await page.getByText('2 of 2 requests').waitFor();
});

test('completions: are filtered by status and by key', async () => {
  const key = await server.createKey('full');
  const client = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: key });
  const create = (content: string, max_completion_tokens?: number) =>
    client.chat.completions.create({
      ...{ model: 'simulator', store: true, metadata: { for: 'filters' }, messages: [{ role: 'user', content }] },
      ...(max_completion_tokens !== undefined && { max_completion_tokens }),
    });
  const { id } = await create('Complete');
  await create('Truncated', 1);
  const { api_key_id } = await api.chat.completions.retrieve(id);
  const page = await openConsole('completions?metadata=for%3Dfilters');
  const list = page.getByRole('region', { name: 'Completions' });
  await list.getByText('Complete', { exact: true }).waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption('truncated');
  await list.getByText('Complete', { exact: true }).waitFor({ state: 'detached' });
  await list.getByText('Truncated', { exact: true }).waitFor();
  await page.getByLabel('Key', { exact: true }).selectOption(api_key_id ?? '');
  await expect.poll(() => page.url()).toMatch(/status=length.*key=|key=.*status=length/);
  await list.getByText('Truncated', { exact: true }).waitFor();
  await page.goto(`${server.url}/console/completions?metadata=for%3Dfilters&key=key_none`);
  await page.getByText('No completion matches the filters').waitFor();
});

test('completions: the panel marks one for a dataset, compares models, and shows the raw JSON', async () => {
  const metadata = { for: 'marks' };
  const [first, second] = await Promise.all(
    ['One', 'Two'].map((content) =>
      api.chat.completions.create({
        ...{ model: 'simulator', store: true, metadata },
        messages: [{ role: 'user', content }],
      }),
    ),
  );
  const page = await openConsole(`completions?metadata=for%3Dmarks&open=${first?.id ?? ''}`);
  const panel = page.getByRole('complementary', { name: 'Completion' });
  await panel.getByText('Raw JSON').click();
  await panel.getByText('"object": "chat.completion"').waitFor();
  await panel.getByRole('button', { name: 'Add to dataset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to dataset' });
  await dialog.getByLabel('Name of the dataset').fill('marked');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel.getByText('marked', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: `Select ${second?.id ?? ''}` }).check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Add to dataset' }).click();
  await dialog.getByLabel('Name of the dataset').fill('marked');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  const marked = await api.chat.completions.list({ metadata: { dataset: 'marked' } });
  expect(marked.data.map((completion) => completion.metadata)).toEqual([
    { for: 'marks', dataset: 'marked' },
    { for: 'marks', dataset: 'marked' },
  ]);
  await panel.getByRole('button', { name: 'Compare models' }).click();
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  expect(await page.getByLabel('Second model').inputValue()).toBe('simulator');
  await expect.poll(() => page.getByText('One', { exact: true }).count()).toBe(2);
});

test('datasets: created from filtered completions, run again, compared by a judge, and deleted with their files', async () => {
  for (const content of ['One', 'Two', 'Three']) {
    const metadata = { for: 'datasets', topic: content };
    const messages = [{ role: 'user' as const, content }];
    await api.chat.completions.create({ model: 'simulator', store: true, metadata, messages });
  }
  const page = await openConsole('completions?metadata=for%3Ddatasets');
  await page.getByRole('link', { name: 'Create dataset' }).click();
  const creation = page.getByRole('dialog', { name: 'New dataset' });
  expect(await creation.getByLabel('Metadata').inputValue()).toBe('for=datasets');
  await creation.getByLabel('Name').fill('numbers');
  await creation.getByLabel('Part for tests in %').fill('100');
  await creation.getByLabel('Seed').fill('3');
  await creation.getByRole('button', { name: 'Create dataset' }).click();
  await page.getByRole('heading', { name: 'numbers', level: 1 }).waitFor();
  await page.getByText('100 %, seed 3').waitFor();
  await page.getByRole('link', { name: 'for=datasets' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const files = page.getByRole('region', { name: 'Files' });
  const download = page.waitForEvent('download');
  await files.getByRole('row', { name: /^Test/ }).getByRole('link', { name: 'Download' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ item: { metadata: { for: 'datasets' } } });

  await page.getByRole('button', { name: 'Run again' }).click();
  const rerun = page.getByRole('dialog', { name: 'Run numbers again' });
  await rerun.getByLabel('Other parameters (JSON object)').fill('{');
  await rerun.getByRole('button', { name: 'Start batch' }).click();
  await rerun.getByText('Other parameters: invalid JSON.').waitFor();
  await rerun.getByLabel('Model').selectOption('simulator');
  await rerun.getByLabel('Other parameters (JSON object)').fill('{ "max_completion_tokens": 2 }');
  await rerun.getByRole('button', { name: 'Start batch' }).click();
  await page.getByRole('heading', { name: 'numbers with simulator', level: 1 }).waitFor();
  await page.getByText('3 of 3 requests').waitFor();
  await page.getByText('1 of 1 requests').waitFor();

  await page.getByRole('link', { name: 'Compare with the dataset' }).click();
  const comparing = page.getByRole('dialog', { name: 'Compare with numbers' });
  await expect.poll(() => comparing.getByLabel(/^numbers with simulator/).isChecked()).toBe(true);
  await comparing.getByLabel('Name').fill('short');
  await comparing.getByLabel('Matches the regular expression').fill('(.|\\n)*[.]');
  await comparing.getByLabel('Judged by the model').selectOption('simulator');
  expect(await comparing.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
  await comparing.getByLabel('What makes a reply good').fill('It is short.');
  await comparing.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('heading', { name: 'short', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Normalized' }).getByText('0 wins, 3 losses, 0 ties').waitFor();
  await page
    .getByRole('region', { name: 'Judge' })
    .getByText(/95 % confidence: .* to /)
    .waitFor();
  await page
    .getByRole('region', { name: 'Cost and latency', exact: true })
    .getByRole('row', { name: /^Replies 3 3/ })
    .waitFor();
  await page.getByText('3 told apart by a scorer, 0 with different texts, 0 equal').waitFor();
  const cases = page.getByRole('region', { name: 'Cases of the comparison' });
  await expect.poll(() => cases.getByText('told apart').count()).toBe(3);
  await cases.getByRole('button').first().click();
  const panel = page.getByRole('complementary', { name: 'Case' });
  await panel.getByRole('region', { name: 'Candidate' }).getByText('2 output tokens').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  for (const [label, start] of [
    ['Report as JSON', '{"id":"file-'],
    ['Cases as JSON Lines', '{"id":"chatcmpl-'],
    ['Cases as CSV', 'id,difference,'],
  ] as const) {
    const report = page.waitForEvent('download');
    await page.getByRole('link', { name: label }).click();
    expect(readFileSync(await (await report).path(), 'utf8').startsWith(start)).toBe(true);
  }
  expect((await api.files.list({ purpose: 'comparison' })).data).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete comparison' }).click();
  await page.getByText('No comparisons').waitFor();

  // A judge that fails: the comparison says why, and for which cases.
  const started = await api.datasets.rerun({ dataset: id });
  await api.batches.wait(started.id);
  const body = {
    dataset: id,
    candidate_batch_ids: [started.id],
    scorers: [{ type: 'judge', model: 'no such judge', criteria: 'It is short.' }],
  };
  const judged = await createBatch(
    api,
    [JSON.stringify({ custom_id: 'judged', method: 'POST', url: '/v1/datasets/compare', body })],
    undefined,
    '/v1/datasets/compare',
  );
  await api.batches.wait(judged.id);
  const [comparison] = (await api.files.list({ purpose: 'comparison' })).data;
  await page.goto(`${server.url}/console/comparisons/${comparison?.id}`);
  const judge = page.getByRole('region', { name: 'Judge' });
  await judge.getByText('3 cases without a score').waitFor();
  await judge.getByText(/no such judge/).waitFor();
  expect(await judge.getByRole('link').count()).toBe(3);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete comparison' }).click();
  await page.getByText('No comparisons').waitFor();

  await page.goto(`${server.url}/console/datasets/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete dataset' }).click();
  await page.getByRole('heading', { name: 'Datasets', level: 1 }).waitFor();
  expect((await api.files.list({ purpose: 'evals' })).data).toEqual([]);
});

test('batches: a running batch shows its rate and remaining time, and is cancelled', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => batchLine(`${index}`, { model: 'simulator', messages }));
  const batch = await createBatch(api, lines);
  const page = await openConsole(`batches/${batch.id}`);
  await page.getByText(/per second · about .* left/).waitFor();
  await page.getByRole('button', { name: 'Cancel batch' }).click();
  await page.getByRole('button', { name: 'Cancel the remaining requests' }).click();
  await expect.poll(() => page.getByText(/^cancelled/).isVisible()).toBe(true);
});

test('files and batches: a file becomes a batch whose failed requests come first', async () => {
  const page = await openConsole('files');
  const content = batchLine('good', { model: 'simulator', messages }) + batchLine('bad', { model: 'none', messages });
  await page.getByRole('button', { name: 'Upload files' }).click();
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'requests.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(content) });
  await page.getByText('Stored').waitFor();
  await page.getByRole('region', { name: 'Files' }).getByRole('link', { name: 'requests.jsonl' }).click();
  await page.getByText('"custom_id":"good"').waitFor();
  await page.getByRole('link', { name: 'Create batch' }).click();
  await page.getByRole('button', { name: 'Create batch' }).click();
  await page.getByText('completed, 1 of 2 failed').waitFor();
  const titles = await page
    .getByRole('region', { name: /requests$/ })
    .getByRole('heading')
    .allTextContents();
  expect(titles).toEqual(['Failed requests', 'Completed requests']);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const batch = await api.batches.retrieve(id);
  for (const [title, row, fileId] of [
    ['Failed requests', /^bad\s*404/, batch.error_file_id],
    ['Completed requests', /^good\s*200/, batch.output_file_id],
  ] as const) {
    const section = page.getByRole('region', { name: title }).first();
    await section.getByRole('row', { name: row }).waitFor();
    const download = page.waitForEvent('download');
    await section.getByRole('link', { name: /^Download/ }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).toBe(await (await api.files.content(fileId ?? '')).text());
    expect(text).toContain(`"custom_id":"${title === 'Failed requests' ? 'bad' : 'good'}"`);
  }

  await page.getByRole('button', { name: 'Run failed again' }).click();
  await page.getByRole('dialog').getByLabel('Model').selectOption('simulator');
  await page.getByRole('button', { name: 'Start batch' }).click();
  await page.getByRole('heading', { name: 'Batch, failed requests', level: 1 }).waitFor();
  await page.getByText('1 of 1 requests').waitFor();
  await page.getByRole('region', { name: 'Completed requests' }).first().getByText('bad', { exact: true }).waitFor();
});

test('batches: errors of the input are listed by line', async () => {
  const lines = [
    batchLine('good', { model: 'simulator', messages }),
    '{"custom_id":1}\n',
    batchLine('good', { model: 'simulator', messages }),
    'no JSON\n',
  ];
  const batch = await createBatch(api, lines);
  const page = await openConsole(`batches/${batch.id}`);
  await page.getByText('The input file is invalid.').waitFor();
  const cells = await page
    .getByRole('region', { name: 'Errors by line' })
    .locator('tbody td:first-child')
    .allTextContents();
  expect([...new Set(cells)]).toEqual(['2', '3', '4']);
  const { errors } = await api.batches.retrieve(batch.id);
  for (const { message } of errors?.data ?? [])
    await page
      .getByText(message ?? 'no message')
      .first()
      .waitFor();
});

test('videos: creates one with a reference image, plays, downloads, remixes twice, extends, and deletes', async () => {
  const page = await openConsole('videos');
  await page.getByRole('button', { name: 'New video' }).click();
  await page.getByLabel('Prompt').fill('A river');
  await page.getByLabel('Model').selectOption('storyboard');
  const reference = page.getByLabel('Reference image');
  // The error of the server for a file that is not an image shows that it received the file.
  await reference.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') });
  await page.getByRole('button', { name: 'Create video' }).click();
  await page.getByText('The video was not created.').waitFor();
  await page.getByText('input_reference', { exact: true }).waitFor();
  await reference.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('button', { name: 'Create video' }).click();
  await page.locator('video').waitFor({ timeout: 120_000 });
  await expect
    .poll(() => page.locator('video').evaluate((video) => video instanceof HTMLVideoElement && video.duration))
    .toBeGreaterThan(3);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${id}.mp4`);
  const bytes = await (await api.videos.downloadContent(id)).arrayBuffer();
  expect(readFileSync(await file.path()).equals(Buffer.from(bytes))).toBe(true);

  const hill = await api.videos.create({ prompt: 'A hill', model: 'storyboard', size: '720x1280' });
  await api.videos.wait(hill.id);
  await page.reload();
  await page.getByLabel('Compare with').selectOption('A hill');
  await expect.poll(() => page.locator('video').count()).toBe(2);
  const { width = 0, height = 1 } = (await page.locator('video').last().boundingBox()) ?? {};
  expect(width / height).toBeCloseTo(720 / 1280);
  await page.getByRole('button', { name: 'Play both' }).click();
  await page.getByLabel('Compare with').selectOption('None');

  for (const [prompt, title] of [
    ['A lake', 'A river'],
    ['A sea', 'A lake'],
  ] as const) {
    await page.getByRole('button', { name: 'Remix' }).click();
    await page.getByLabel('Prompt for the change').fill(prompt);
    await page.getByRole('button', { name: 'Create remix' }).click();
    await page.getByRole('region', { name: 'Made from' }).getByRole('link', { name: title }).waitFor();
    await page.locator('video').waitFor({ timeout: 120_000 });
  }
  const chain = page.getByRole('region', { name: 'Made from' }).getByRole('link');
  await expect.poll(() => chain.allTextContents()).toEqual(['A lake', 'A river']);
  await page.getByRole('button', { name: 'Extend' }).click();
  await page.getByLabel('Prompt for the continuation').fill('The tide');
  await page.getByRole('button', { name: 'Create extension' }).click();
  await expect.poll(() => chain.allTextContents()).toEqual(['A sea', 'A lake', 'A river']);
  await page.goto(`${server.url}/console/videos`);
  const thumbnail = page.getByRole('link', { name: /A river/ }).locator('img');
  await expect
    .poll(() => thumbnail.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
    .toBeGreaterThan(100);
  await page.getByRole('link', { name: /A lake/ }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete video' }).click();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
  await page.getByRole('link', { name: /A river/ }).waitFor();
  expect(await page.getByRole('link', { name: /A lake/ }).count()).toBe(0);

  const source = { name: 'river.mp4', mimeType: 'video/mp4', buffer: Buffer.from(bytes) };
  for (const [operation, field, seconds] of [
    ['Edit', 'Prompt for the change', '4'],
    ['Extend', 'Prompt for the continuation', '12'],
  ] as const) {
    await page.goto(`${server.url}/console/videos`);
    await page.getByRole('button', { name: 'From a file' }).click();
    await page.getByLabel('Source video').setInputFiles({ ...source, buffer: Buffer.from('no video') });
    await page.getByLabel('Operation').selectOption(operation);
    await page.getByLabel(field).fill(`${operation} of a file`);
    if (operation === 'Extend') await page.getByLabel('Seconds').selectOption('8');
    await page.getByRole('button', { name: 'Create video' }).click();
    await page.getByText('the file is not an MP4 video').waitFor();
    await page.getByLabel('Source video').setInputFiles(source);
    await page.getByRole('button', { name: 'Create video' }).click();
    await page.locator('video').waitFor({ timeout: 120_000 });
    const made = await api.videos.retrieve(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    expect(made).toMatchObject({ model: 'copy', prompt: `${operation} of a file`, seconds });
  }

  await page.route('**/console/api/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), video_uploads: false } });
  });
  await page.goto(`${server.url}/console/videos`);
  await page.getByRole('button', { name: 'New video' }).waitFor();
  expect(await page.getByRole('button', { name: 'From a file' }).count()).toBe(0);
});

test('files: text, JSON Lines and images have a preview, and are filtered, downloaded and deleted', async () => {
  const line = batchLine('a', { model: 'simulator', messages });
  const files = [
    { name: 'notes.txt', purpose: 'user_data', bytes: Buffer.from('The river is called Aare.') },
    { name: 'lines.jsonl', purpose: 'batch', bytes: Buffer.from(line) },
    { name: 'dot.png', purpose: 'vision', bytes: png },
  ] as const;
  const page = await openConsole('files');
  const upload = page.getByRole('dialog', { name: 'Upload files' });
  for (const { name, purpose, bytes } of files) {
    await page.getByRole('button', { name: 'Upload files' }).click();
    await upload.getByLabel('Purpose').selectOption(purpose);
    await drop(page, '.drop', [{ name, type: '', bytes }]);
    await upload.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Transfers' }).getByRole('link', { name }).waitFor();
  }
  await page.getByLabel('Purpose', { exact: true }).selectOption('vision');
  await expect.poll(() => page.url()).toContain('purpose=vision');
  const list = page.getByRole('region', { name: 'Files' });
  await list.getByRole('link', { name: 'notes.txt' }).waitFor({ state: 'detached' });
  await list.getByRole('link', { name: 'dot.png' }).first().waitFor();
  for (const { name, bytes } of files) {
    await page.goto(`${server.url}/console/files`);
    await list.getByRole('link', { name }).first().click();
    const preview = page.getByRole('region', { name: 'Preview' });
    if (name === 'dot.png') {
      await expect
        .poll(() => preview.locator('img').evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
        .toBe(1);
    } else {
      await preview.getByText(bytes.toString().trimEnd()).waitFor();
    }
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(name);
    expect(readFileSync(await file.path()).equals(bytes)).toBe(true);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete file' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
  }
  const { data } = await api.files.list({ limit: 100 });
  const left = data.map(({ filename }) => filename);
  for (const { name } of files) expect(left).not.toContain(name);
});

test('files: a file that is dropped on the page is uploaded', async () => {
  const page = await openConsole('files');
  await page.getByRole('button', { name: 'Upload files' }).waitFor();
  await drop(page, 'main', [{ name: 'dropped.jsonl', type: 'application/jsonl', bytes: Buffer.from('{}\n') }]);
  await page.getByRole('dialog').getByRole('button', { name: 'Upload dropped.jsonl' }).click();
  await page.getByText('Stored').waitFor();
  const { data } = await api.files.list();
  expect(data.map(({ filename }) => filename)).toContain('dropped.jsonl');
});

test('files: selected files are deleted together', async () => {
  const file = new File(['{}\n'], 'old.jsonl');
  const files = [
    await api.files.create({ file, purpose: 'user_data' }),
    await api.files.create({ file, purpose: 'user_data' }),
  ];
  const page = await openConsole('files?purpose=user_data');
  for (const { id } of files) await page.getByLabel(`Select ${id}`).check();
  await page.getByText('2 files selected, 6 B').waitFor();
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await page.getByRole('button', { name: 'Delete 2 files' }).click();
  await page.getByText('2 files selected').waitFor({ state: 'detached' });
  for (const { id } of files) await expect(api.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
});

test('files: a large upload is paused and resumed', async () => {
  const page = await openConsole('files');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await page.getByRole('dialog').getByLabel('Purpose').selectOption('user_data');
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-pause-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'large.bin');
  writeFileSync(path, 'first bytes');
  truncateSync(path, 17 * 1024 ** 2);
  const released = Promise.withResolvers<undefined>();
  await page.route('**/parts', async (route) => {
    await released.promise;
    await route.continue().catch(() => {});
  });
  await page.getByLabel('Files to upload').setInputFiles(path);
  await page.getByRole('button', { name: 'Pause large.bin' }).click();
  await page.getByText(/Paused/).waitFor();
  released.resolve(undefined);
  await page.getByRole('button', { name: 'Resume large.bin' }).click();
  await expect.poll(() => page.getByText('Stored · 17.8 MB of 17.8 MB').isVisible()).toBe(true);
});

test('moderation: scores of a text and an image are shown as bars with thresholds', async () => {
  const page = await openConsole('moderation');
  await page.getByLabel('Text').fill('I will kill myself');
  await page.getByRole('button', { name: 'Classify' }).click();
  const scores = page.getByRole('region', { name: 'Scores' });
  await scores.waitFor();
  expect(await scores.locator('tbody tr').count()).toBe(13);
  const intent = page.getByRole('row', { name: /^self-harm\/intent \d/ });
  expect(await intent.locator('td').nth(0).textContent()).toMatch(/^[01]\.\d{4}$/);
  expect(await intent.locator('td').nth(1).textContent()).toMatch(/^0\.\d{4}$/);
  expect(await intent.locator('rect.threshold').count()).toBe(1);
  expect(await intent.locator('td').last().textContent()).toBe('text');
  await page.getByRole('row', { name: /^violence 0\.0000 – .*not judged/ }).waitFor();

  await page.getByLabel('Text').fill('');
  await drop(page, '.drop', [{ name: 'dot.png', type: 'image/png', bytes: png }]);
  await page.getByRole('img', { name: 'dot.png' }).waitFor();
  await page.getByRole('button', { name: 'Classify' }).click();
  // The embedded image model scores only this category.
  const sexual = page.getByRole('row', { name: /^sexual \d/ });
  await expect.poll(() => sexual.locator('td').last().textContent()).toBe('image');
  const score = Number(await sexual.locator('td').nth(0).textContent());
  const bar = await sexual.locator('rect').nth(1).getAttribute('width');
  expect(score).toBeLessThan(0.5);
  expect(Number(bar)).toBeCloseTo(score * Number(await sexual.locator('rect').first().getAttribute('width')), 1);
  expect(await sexual.locator('rect.threshold').count()).toBe(1);
  await page.getByText('not flagged', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove dot.png' }).click();
  await page.getByRole('img', { name: 'dot.png' }).waitFor({ state: 'detached' });
});

test('shows that the server is unreachable, and reconnects without a reload', async () => {
  const { page, context } = await openPage(browser, server);
  onTestFinished(() => context.close());
  await signIn(page, server.url, server.key);
  await page.goto(`${server.url}/console/files`);
  const purpose = page.getByLabel('Purpose', { exact: true });
  await purpose.waitFor();
  await server.stop();
  await purpose.selectOption('batch');
  await page.getByText('The server does not respond.').first().waitFor();
  await server.restart();
  await page.getByText('The server does not respond.').waitFor({ state: 'detached' });
  await purpose.selectOption('All');
  await expect.poll(() => page.getByRole('region', { name: 'Files' }).isVisible()).toBe(true);
});
