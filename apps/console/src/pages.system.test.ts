import { AuthenticationError, Modelwire, NotFoundError, PermissionError, RateLimitError } from '@modelwire/client';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser, openPage, signIn } from './testing/browser.ts';
import { buildConsole } from './testing/built-console.ts';
import { startServer } from './testing/server-process.ts';
import type { ServerProcess } from './testing/server-process.ts';

let server: ServerProcess;
let browser: Browser;
let api: Modelwire;

beforeAll(async () => {
  buildConsole();
  server = await startServer();
  browser = await launchBrowser();
  api = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: server.key });
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** A page of the console, signed in as administrator. The test fails if the browser reported anything. */
async function openConsole(path: string, key: string = server.key): Promise<Page> {
  const { page, context, problems } = await openPage(browser, server);
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  await signIn(page, server.url, key);
  await page.goto(`${server.url}/console/${path}`);
  return page;
}

const batchLine = (id: string, body: object): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body })}\n`;
/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const messages = [{ role: 'user', content: 'Hello!' }] as const;

test('a browser that opens / is taken to the console, and the printed link signs in once', async () => {
  const { page, context } = await openPage(browser, server);
  onTestFinished(() => context.close());
  await page.goto(`${server.url}/`);
  expect(page.url()).toBe(`${server.url}/console/`);
  await page.getByLabel('API key').waitFor();
  await page.goto(server.consoleURL);
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
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

test('playground: streams a reply with its figures, edits, regenerates, stores, and shows log probabilities', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('Store replies under Completions').check();
  await page.getByLabel('Log probabilities').check();
  await page.getByLabel('Message', { exact: true }).fill('Tell me about rivers.');
  await page.keyboard.press('Enter');
  await page.getByText('The reply is complete.').waitFor();
  await page.getByText(/\d+ output tokens · first token after/).waitFor();
  await page.getByText(/Probability of/).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edited message').fill('Tell me about lakes.');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The reply is complete.').waitFor();
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('The reply is complete.').waitFor();
  expect(await page.locator('.turn').count()).toBe(2);
  await page.getByRole('link', { name: 'Open in Completions' }).click();
  await page.getByRole('heading', { name: 'Completion', exact: true }).waitFor();
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
  await page.getByRole('button', { name: 'Code' }).click();
  await page.getByRole('button', { name: 'Python' }).click();
  await page.getByText('temperature=0.5').waitFor();
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
});

test('playground: an invalid field and an error of the server are shown with what to do', async () => {
  const page = await openConsole('playground');
  await page.getByLabel('Tools (JSON array)').fill('[');
  await page.getByLabel('Message', { exact: true }).fill('Hello!');
  await page.keyboard.press('Enter');
  await page.getByText('Tools: invalid JSON.').waitFor();
  await page.getByLabel('Tools (JSON array)').fill('');
  await page.getByLabel('Temperature').fill('9');
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('The reply failed.').waitFor();
  await page.getByText('Request ID', { exact: true }).waitFor();
  await page.getByText('req_').waitFor();
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
  const dropped = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], 'dot.png', { type: 'image/png' }));
      return transfer;
    },
    [...png],
  );
  await page.dispatchEvent('.composer', 'drop', { dataTransfer: dropped });
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

test('completions: filters live in the address; metadata can be edited; a completion can be rerun and deleted', async () => {
  const create = (team: string) =>
    api.chat.completions.create({ model: 'simulator', store: true, metadata: { team }, messages });
  const { id } = await create('search');
  await create('other');
  const page = await openConsole('completions?metadata=team%3Dsearch');
  await page.getByRole('region', { name: 'Completions' }).waitFor();
  expect(await page.locator('tbody tr:not(.spacer)').count()).toBe(1);
  await page.getByLabel('Order').selectOption('asc');
  await expect.poll(() => page.url()).toContain('order=asc');
  await page.goto(`${server.url}/console/completions/${id}`);
  await page.getByRole('button', { name: 'Edit metadata' }).click();
  await page.getByLabel('One key=value per line').fill('team=search\nrun=7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('run', { exact: true }).waitFor();
  const stored = await api.chat.completions.retrieve(id);
  expect(stored.metadata).toEqual({ team: 'search', run: '7' });
  await page.getByRole('button', { name: 'Open in playground' }).click();
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  await page.getByRole('list', { name: 'Messages' }).getByText('Hello!', { exact: true }).waitFor();
  await page.goto(`${server.url}/console/completions/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete completion' }).click();
  await page.getByRole('heading', { name: 'Completions' }).waitFor();
  await expect(api.chat.completions.retrieve(id)).rejects.toThrow();
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

test('completions: selected ones are exported as lines of a batch, and run again as a batch', async () => {
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
  await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).check();
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

test('batches: a running batch shows its rate and remaining time, and is cancelled', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => batchLine(`${index}`, { model: 'simulator', messages }));
  const file = await api.files.create({ file: new File(lines, 'long.jsonl'), purpose: 'batch' });
  const batch = await api.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  const page = await openConsole(`batches/${batch.id}`);
  await page.getByText(/per second · about .* left/).waitFor();
  await page.getByRole('button', { name: 'Cancel batch' }).click();
  await page.getByRole('button', { name: 'Cancel the remaining requests' }).click();
  await page.getByText(/^cancelled/).waitFor();
});

test('files and batches: a file becomes a batch whose failed requests come first', async () => {
  const page = await openConsole('files');
  const content = batchLine('good', { model: 'simulator', messages }) + batchLine('bad', { model: 'none', messages });
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
  await page.getByText('404').waitFor();
});

test('batches: errors of the input are listed by line', async () => {
  const file = await api.files.create({ file: new File(['{"custom_id":1}\n'], 'bad.jsonl'), purpose: 'batch' });
  const batch = await api.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  const page = await openConsole(`batches/${batch.id}`);
  await page.getByText('The input file is invalid.').waitFor();
  expect(await page.getByRole('region', { name: 'Errors by line' }).locator('tbody tr').first().textContent()).toMatch(
    /^1/,
  );
});

test('videos: creates, plays, remixes and deletes', async () => {
  const page = await openConsole('videos');
  await page.getByLabel('Prompt').fill('A river');
  await page.getByRole('button', { name: 'Create video' }).click();
  await page.locator('video').waitFor({ timeout: 120_000 });
  await expect
    .poll(() => page.locator('video').evaluate((video) => video instanceof HTMLVideoElement && video.duration))
    .toBeGreaterThan(3);
  await page.getByLabel('Changed prompt').fill('A lake');
  await page.getByRole('button', { name: 'Create remix' }).click();
  await page.getByRole('heading', { name: 'Remixed from' }).waitFor();
  await page.getByRole('link', { name: 'A river' }).waitFor();
  await page.goto(`${server.url}/console/videos`);
  const thumbnail = page.getByRole('link', { name: /A river/ }).locator('img');
  await expect
    .poll(() => thumbnail.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
    .toBeGreaterThan(100);
  await page.getByRole('link', { name: /A lake/ }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete video' }).click();
  await page.getByRole('heading', { name: 'Videos' }).waitFor();
});

test('files: images and JSON Lines have a preview; a large upload is paused and resumed', async () => {
  const image = await api.files.create({ file: new File([png], 'dot.png'), purpose: 'vision' });
  const page = await openConsole(`files/${image.id}`);
  await expect
    .poll(() => page.locator('img.preview').evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
    .toBe(1);
  await page.goto(`${server.url}/console/files`);
  await page.getByLabel('Purpose', { exact: true }).selectOption('user_data');
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
  await page.getByText('Stored · 17.8 MB of 17.8 MB').waitFor();
});

test('moderation: shows the score of every category with its threshold, and takes images', async () => {
  const page = await openConsole('moderation');
  await page.getByLabel('Image').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('img', { name: 'dot.png' }).waitFor();
  await page.getByRole('button', { name: 'Remove image' }).click();
  await page.getByLabel('Text').fill('I will kill you');
  await page.getByRole('button', { name: 'Classify' }).click();
  await page.getByRole('region', { name: 'Scores' }).waitFor();
  expect(await page.getByRole('region', { name: 'Scores' }).locator('tbody tr').count()).toBe(13);
  const violence = page.getByRole('row', { name: /^violence \d/ });
  expect(await violence.locator('td').nth(1).textContent()).toMatch(/^0\.\d{4}$/);
  expect(await violence.locator('rect.threshold').count()).toBe(1);
});

test('usage: shows requests and tokens, filters in the address, and offers CSV', async () => {
  await api.chat.completions.create({ model: 'simulator', messages });
  const page = await openConsole('usage');
  const byModel = page.getByRole('region', { name: 'By model, table' });
  await byModel.getByRole('rowheader', { name: 'simulator' }).waitFor();
  await page.getByLabel('Period').selectOption('7');
  await byModel.getByRole('button', { name: 'simulator' }).click();
  await expect.poll(() => page.url()).toMatch(/days=7.*model=simulator/);
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByRole('button', { name: 'Download usage by model as CSV' }).click();
  await expect.poll(() => downloads).toEqual(['usage.csv', 'usage-by-model.csv']);
});

test('usage: leads from an error to the request that failed', async () => {
  const { error } = await api.chat.completions.create({ model: 'none', messages }).then(
    () => ({ error: undefined }),
    (thrown: unknown) => ({ error: thrown instanceof NotFoundError ? thrown : undefined }),
  );
  const page = await openConsole('usage');
  await page.getByRole('button', { name: /^model_not_found/ }).click();
  await expect.poll(() => page.url()).toContain('code=model_not_found');
  const errors = page.getByRole('region', { name: 'Recent errors, table' });
  await errors.getByText(error?.requestId ?? 'no request id').waitFor();
});

test('models and health: models with capabilities and engine, queues, storage', async () => {
  const page = await openConsole('models');
  await page.getByText('from simulator').first().click();
  await page.getByText('Parameters of the model').first().waitFor();
  await page.getByRole('region', { name: 'Engines' }).waitFor();
  await page.getByText('database').waitFor();
  await page.getByText('writable').first().waitFor();
});

test('keys: a key is created and shown once, its limits are changed, and it is rotated and revoked', async () => {
  const page = await openConsole('keys');
  await page.getByLabel('New project').fill('Shop');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('The project has no stored keys.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('checkout');
  await page.getByLabel('Role').selectOption('inference_only');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Copy the key checkout now.').waitFor();
  const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
  const client = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: secret, maxRetries: 0 });
  await client.models.list();
  await page.getByRole('button', { name: 'Hide key' }).click();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Edit checkout' }).click();
  await page.getByRole('dialog').getByLabel('Requests per minute').fill('9');
  await page.getByRole('button', { name: 'Save key' }).click();
  await page.getByText('9 requests/min').waitFor();
  expect(await page.getByRole('button', { name: 'Edit checkout' }).evaluate((button) => button.matches(':focus'))).toBe(
    true,
  );
  await page.getByRole('button', { name: 'Rotate checkout' }).click();
  await page.getByLabel('Previous secret').selectOption('Accept it for an hour');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.getByText('Copy the key checkout now.').waitFor();
  await client.models.list();
  await page.getByRole('button', { name: 'Revoke checkout' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  await expect(client.models.list()).rejects.toThrow(AuthenticationError);
});

test('projects: limits are changed, and an archived project refuses its keys', async () => {
  const { projects } = api.organization;
  const { id } = await projects.create({ name: 'Forum', tokens_per_minute: 1000 });
  const { value } = await projects.apiKeys.create(id, { name: 'bot' });
  const client = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: value, maxRetries: 0 });
  const page = await openConsole(`keys?project=${id}`);
  await page.getByText('1,000 tokens/min').waitFor();
  await page.getByRole('button', { name: 'Edit project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Allowed models, one per line').fill('another-model');
  await dialog.getByLabel('Storage (MB)').fill('1.5');
  await dialog.getByRole('button', { name: 'Save project' }).click();
  await page.getByText('1,000 tokens/min, models: another-model').waitFor();
  await page.getByText('0 B of 1.5 MB').waitFor();
  await expect(client.chat.completions.create({ model: 'simulator', messages })).rejects.toThrow(PermissionError);
  await page.getByRole('button', { name: 'Archive project' }).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByText('archived', { exact: true }).waitFor();
  expect(await page.getByRole('form', { name: 'New key' }).count()).toBe(0);
  await expect(client.models.list()).rejects.toThrow(AuthenticationError);
});

test('budgets: show what is used of their limits, and are created, overridden, reset and deleted', async () => {
  const { id } = await api.organization.projects.create({ name: 'Budgeted' });
  const { value } = await api.organization.projects.apiKeys.create(id);
  const client = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: value, maxRetries: 0 });
  const chat = () => client.chat.completions.create({ model: 'simulator', messages, max_completion_tokens: 10 });
  const page = await openConsole(`budgets?project=${id}`);
  await page.getByText('No budget matches the filters.').waitFor();
  await page.getByLabel('Of project').selectOption('Budgeted');
  await page.getByLabel('Hard limit').fill('1');
  await page.getByRole('button', { name: 'Create budget' }).click();
  await page.getByText('within limits').waitFor();
  await expect(chat()).rejects.toThrow(RateLimitError);
  await page.getByRole('button', { name: `Edit the month budget of ${id}` }).click();
  await page.getByRole('dialog').getByLabel('Soft limit').fill('1');
  await page.getByLabel('Hard limit until the period ends (override)').fill('5000');
  await page.getByRole('button', { name: 'Save budget' }).click();
  await page.getByText('5,000 (instead of 1)').waitFor();
  const { usage } = await chat();
  await page.reload();
  const row = page.getByRole('region', { name: 'Budgets' });
  await row.getByText('over the soft limit').waitFor();
  await row.getByText(String(usage?.total_tokens), { exact: true }).waitFor();
  await page.getByRole('button', { name: `Reset the month budget of ${id}` }).click();
  await page.getByRole('button', { name: 'Reset budget' }).click();
  await row.getByText('within limits').waitFor();
  await page.getByRole('button', { name: `Delete the month budget of ${id}` }).click();
  await page.getByRole('button', { name: 'Delete budget' }).click();
  await page.getByText('No budget matches the filters.').waitFor();
});

test('audit log: shows who changed what, with filters in the address', async () => {
  const { id } = await api.organization.projects.create({ name: 'Audited' });
  await api.organization.projects.update(id, { requests_per_minute: 7 });
  const page = await openConsole('audit');
  await page.getByRole('combobox', { name: 'Action' }).selectOption('project.updated');
  await page.getByLabel('Project ID').fill(id);
  await expect.poll(() => page.url()).toContain(`type=project.updated&project=${id}`);
  await page.reload();
  await page.getByRole('button', { name: `Show changes of project.updated ${id}` }).click();
  await page.getByRole('dialog').getByText('"requests_per_minute": 7').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('region', { name: 'Audit log' }).locator('tbody tr').count()).toBe(1);
});

test('a key without rights sees only the pages that it may open', async () => {
  const page = await openConsole('', await server.createKey('read_only'));
  await page.getByRole('heading', { name: 'Completions', level: 1 }).waitFor();
  const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
  expect(links).not.toContain('Playground');
  for (const name of ['Usage', 'Keys and projects', 'Budgets', 'Audit log']) expect(links).not.toContain(name);
  expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
  await page.goto(`${server.url}/console/playground`);
  await page.getByRole('heading', { name: 'Playground needs another key' }).waitFor();
});

test('a server that goes away and comes back: the page says so, and continues without a reload', async () => {
  const { page, context } = await openPage(browser, server);
  onTestFinished(() => context.close());
  await signIn(page, server.url, server.key);
  await page.goto(`${server.url}/console/files`);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  await server.stop();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('The server does not respond.').first().waitFor();
  await server.restart();
  await page.getByText('The server does not respond.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('region', { name: 'Files' }).waitFor();
});
