import { AuthenticationError, Modelwire, NotFoundError, PermissionError, RateLimitError } from '@modelwire/client';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createBatch } from './testing/create-batch.ts';
import { openSignedIn, startConsole } from './testing/start-console.ts';
import { startWebhookReceiver } from './testing/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const running = await startConsole({
  requestLogRetentionDays: 1,
  webhookTrustedHosts: [receiver.host],
  prices: { currency: 'eur', models: { simulator: { input: 100, output: 200 } } },
});
const { server, api } = running;

const openConsole = (path: string, key?: string): Promise<Page> =>
  openSignedIn(running, path, key === undefined ? {} : { key });

const messages = [{ role: 'user', content: 'Hello!' }] as const;

test('home: shows figures and charts of the last hours and of days, and what is near a limit', async () => {
  const { id } = await api.organization.projects.create({ name: 'Nearly spent' });
  await api.organization.budgets.create({ project_id: 'default', unit: 'tokens', period: 'month', soft_limit: 1 });
  await api.organization.budgets.create({ project_id: id, unit: 'tokens', period: 'month', soft_limit: 1000 });
  await api.chat.completions.create({ model: 'simulator', messages });
  const page = await openConsole('home');
  await page
    .getByText(/^p95 \d/)
    .first()
    .waitFor();
  for (const name of [
    /^Requests, highest [1-9]/,
    /^Time to first token/,
    /^Duration, highest [\d.]+ m?s/,
    /^Cost \(EUR\)/,
  ]) {
    await page.getByRole('img', { name }).waitFor();
  }
  const near = page.getByRole('region', { name: 'Budgets near their limit' });
  await near.getByText('Default project', { exact: true }).waitFor();
  expect(await near.getByText('Nearly spent').count()).toBe(0);
  await page.getByText('7 d', { exact: true }).click();
  await expect.poll(() => page.url()).toContain('period=7d');
  await page.getByText('Duration, p50').waitFor();
  const legend = page.getByRole('button', { name: 'Errors', exact: true });
  await legend.click();
  expect(await legend.getAttribute('aria-pressed')).toBe('false');
  const { data } = await api.organization.budgets.list({ project_ids: ['default', id] });
  for (const budget of data) await api.organization.budgets.delete(budget.id);
});

test('home: errors lead to the failed requests of the log', async () => {
  await api.chat.completions.create({ model: 'none', messages }).catch(() => undefined);
  const page = await openConsole('home');
  await page.getByRole('link', { name: 'Errors' }).click();
  const requests = page.getByRole('region', { name: 'Completions' });
  await requests.getByText('model_not_found').first().waitFor();
  expect(await requests.getByText('succeeded').count()).toBe(0);
});

test('usage: shows requests and tokens, filters in the URL, and offers CSV', async () => {
  await api.chat.completions.create({ model: 'simulator', messages });
  const page = await openConsole('usage');
  const byModel = page.getByRole('region', { name: 'By model, table' });
  await byModel.getByRole('rowheader', { name: 'simulator' }).waitFor();
  await page.getByLabel('Period').selectOption('7');
  await byModel.getByRole('button', { name: 'simulator' }).click();
  await expect.poll(() => page.url()).toMatch(/days=7.*model=simulator/);
  const download = async (name: string): Promise<readonly [name: string, text: string]> => {
    const event = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    const file = await event;
    return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
  };
  const [dayFile, byDay] = await download('Download CSV');
  expect(dayFile).toBe('usage.csv');
  // A header, and one line for each day.
  expect(byDay.trimEnd().split('\n')).toHaveLength(8);
  const [modelFile, perModel] = await download('Download usage by model as CSV');
  expect(modelFile).toBe('usage-by-model.csv');
  expect(perModel).toMatch(/^simulator,\d+,\d+,/m);
});

test('usage: charts and a table show costs in the currency of the price table', async () => {
  const { usage } = await api.chat.completions.create({ model: 'simulator', messages });
  const page = await openConsole('usage?days=7&model=simulator');
  const amount = (text: string | null): number => Number(/€([\d.]+)/.exec(text ?? '')?.[1]);
  const row = page.getByRole('region', { name: 'By model, table' }).getByRole('row', { name: /^simulator/ });
  const shown = amount(await row.textContent());
  // Prices are per million tokens. Earlier tests may have used the model too.
  const least = ((usage?.prompt_tokens ?? 0) * 100 + (usage?.completion_tokens ?? 0) * 200) / 1e6;
  expect(least).toBeGreaterThan(0);
  // Amounts below one euro have three significant digits.
  expect(shown).toBeGreaterThanOrEqual(least * 0.99);
  const chart = page.getByRole('img', { name: /^Cost \(EUR\)/ });
  const highest = amount(await chart.getAttribute('aria-label'));
  expect(highest).toBeGreaterThan(0);
  expect(highest).toBeLessThanOrEqual(shown);
  // The highest bar reaches above the middle of the chart, even if its value is less than one euro.
  const bars = chart.locator('.recharts-bar-rectangle path');
  await bars.first().waitFor();
  const heights = await bars.evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeGreaterThan(80);
  for (const name of ['Requests', 'Tokens', 'Time to first token', 'Duration'])
    await page.getByRole('img', { name: `${name}, highest` }).waitFor();
});

test('usage: an error links to the failed request', async () => {
  const { error } = await api.chat.completions.create({ model: 'none', messages }).then(
    () => ({ error: undefined }),
    (thrown: unknown) => ({ error: thrown instanceof NotFoundError ? thrown : undefined }),
  );
  const page = await openConsole('usage');
  await page.getByRole('button', { name: /^model_not_found/ }).click();
  await expect.poll(() => page.url()).toContain('code=model_not_found');
  const errors = page.getByRole('region', { name: 'Recent errors, table' });
  await expect.poll(() => errors.getByText(error?.requestId ?? 'no request id').isVisible()).toBe(true);
});

test('models and health: models with capabilities and engine, queues, storage', async () => {
  const page = await openConsole('models');
  await api.chat.completions.create({ model: 'simulator', messages: [{ role: 'user', content: 'Hello!' }] });
  await page.reload();
  const row = page.getByRole('region', { name: 'Models' }).getByRole('row', { name: /^simulator / });
  await row.getByText('0 %').waitFor();
  await row.getByRole('button', { name: 'Show the capabilities of simulator' }).click();
  await page.getByRole('dialog').getByText('Parameters of the model').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Engines' }).waitFor();
  await page.getByText('database').waitFor();
  await expect.poll(() => page.getByText('writable').first().isVisible()).toBe(true);
});

test('keys: a key is created and shown once, its limits are changed, and it is rotated and revoked', async () => {
  const page = await openConsole('keys');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Project name').fill('Shop');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('The project has no stored keys.').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('checkout');
  await page.getByLabel('Role').selectOption('inference_only');
  await page.getByLabel('Expires in days').fill('30');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Copy the key checkout now.').waitFor();
  const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
  const client = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: secret, maxRetries: 0 });
  const row = page.getByRole('region', { name: 'Keys' }).getByRole('row', { name: /^checkout/ });
  await row.getByText('never', { exact: true }).waitFor();
  await client.models.list();
  await page.getByRole('button', { name: 'Hide key' }).click();
  expect(await page.content()).not.toContain(secret);
  // The time of the last use is stored within a minute, and shown without a reload.
  await row.getByText('never', { exact: true }).waitFor({ state: 'detached', timeout: 120_000 });
  const projects = await api.organization.projects.list({ limit: 100 });
  const shop = projects.data.find(({ name }) => name === 'Shop')?.id ?? '';
  const {
    data: [stored],
  } = await api.organization.projects.apiKeys.list(shop);
  const shownTime = (seconds: number | null | undefined): Promise<string> =>
    page.evaluate(
      (at) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(at * 1000),
      seconds ?? 0,
    );
  expect(Math.round(((stored?.expires_at ?? 0) - (stored?.created_at ?? 0)) / 86_400)).toBe(30);
  await row.getByTitle(await shownTime(stored?.expires_at)).waitFor();
  await row.getByTitle(await shownTime(stored?.last_used_at)).waitFor();

  await page.getByRole('button', { name: 'Edit checkout' }).click();
  await page.getByRole('dialog').getByLabel('Requests per minute').fill('9');
  await page.getByRole('button', { name: 'Save key' }).click();
  await page.getByText('9 requests/min').waitFor();
  const edit = page.getByRole('button', { name: 'Edit checkout' });
  await expect.poll(() => edit.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.getByRole('button', { name: 'Rotate checkout' }).click();
  await page.getByLabel('Previous secret').selectOption('Keep it valid for an hour');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.getByText('Copy the key checkout now.').waitFor();
  await client.models.list();
  const rotated = (await page.getByRole('status').locator('code').textContent()) ?? '';
  await page.getByLabel('Find key').fill('none with this name');
  await page.keyboard.press('Enter');
  await page.getByText('No key of any project has this name or secret.').waitFor();
  await page.getByLabel('Find key').fill(rotated);
  await page.keyboard.press('Enter');
  await row.getByText('Shop', { exact: true }).waitFor();
  expect(page.url()).not.toContain(rotated.slice(0, 7));
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
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  await expect(client.models.list()).rejects.toThrow(AuthenticationError);
});

test('budgets: show the used part of their limits, and are created, overridden, reset and deleted', async () => {
  const { id } = await api.organization.projects.create({ name: 'Budgeted' });
  const { value } = await api.organization.projects.apiKeys.create(id);
  const client = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: value, maxRetries: 0 });
  const chat = () => client.chat.completions.create({ model: 'simulator', messages, max_completion_tokens: 10 });
  const page = await openConsole(`budgets?project=${id}`);
  await page.getByText('No budget matches the filters.').waitFor();
  await page.getByRole('button', { name: 'New budget' }).click();
  await page.getByLabel('Of project').selectOption('Budgeted');
  await page.getByLabel('Hard limit').fill('1');
  await page.getByRole('button', { name: 'Create budget' }).click();
  await page.getByText('within limits').waitFor();
  await expect(chat()).rejects.toThrow(RateLimitError);
  await page.getByRole('button', { name: 'Edit the month budget of Budgeted' }).click();
  await page.getByRole('dialog').getByLabel('Soft limit').fill('1');
  await page.getByLabel('Hard limit until the period ends (override)').fill('5000');
  await page.getByRole('button', { name: 'Save budget' }).click();
  await page.getByText('of 5,000 (instead of 1)').waitFor();
  await page.getByRole('button', { name: `Copy ID ${id}` }).waitFor();
  const { usage } = await chat();
  await page.reload();
  const row = page.getByRole('region', { name: 'Budgets' });
  await row.getByText('over the soft limit').waitFor();
  await row.getByText(String(usage?.total_tokens), { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reset the month budget of Budgeted' }).click();
  await page.getByRole('button', { name: 'Reset budget' }).click();
  await row.getByText('within limits').waitFor();
  await page.getByRole('button', { name: 'Delete the month budget of Budgeted' }).click();
  await page.getByRole('button', { name: 'Delete budget' }).click();
  await page.getByText('No budget matches the filters.').waitFor();
});

test('budgets: costs are entered and shown in the currency of the price table', async () => {
  const { id } = await api.organization.projects.create({ name: 'Priced' });
  const page = await openConsole(`budgets?project=${id}`);
  await page.getByRole('button', { name: 'New budget' }).click();
  await page.getByLabel('Of project').selectOption('Priced');
  await page.getByLabel('Unit').selectOption('Cost');
  await page.getByLabel('Soft limit (EUR)').fill('1.5');
  await page.getByLabel('Hard limit (EUR)').fill('2');
  await page.getByRole('button', { name: 'Create budget' }).click();
  const budgets = page.getByRole('region', { name: 'Budgets' });
  await budgets.getByText('soft limit €1.50').waitFor();
  await budgets.getByText('of €2.00').waitFor();
  const { data } = await api.organization.budgets.list({ project_ids: [id] });
  expect(data).toMatchObject([{ unit: 'cost', soft_limit: 1_500_000, hard_limit: 2_000_000 }]);
});

test('webhooks: created with a secret that is shown once; deliveries are listed, repeated, and deleted with it', async () => {
  const page = await openConsole('webhooks');
  await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByLabel('Name', { exact: true }).fill('Alerts');
  await page.getByText('Events: all').click();
  await page.getByLabel('batch.failed').check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Hide secret' }).click();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('region', { name: 'Webhooks' }).getByRole('link', { name: receiver.url }).click();
  await page.getByText('No events were sent yet.').waitFor();

  const { id } = await createBatch(api, ['{}\n']);
  // The page is polled: the delivery appears without a reload.
  const log = page.getByRole('region', { name: 'Deliveries' });
  await log.getByText('succeeded', { exact: true }).waitFor();
  await log.getByText('status 200', { exact: true }).waitFor();
  await log.getByRole('button', { name: /^Show evt_/ }).click();
  await page.getByRole('dialog').getByText(id).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await log.getByRole('button', { name: /^Redeliver evt_/ }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(new Set(receiver.received).size).toBe(1);
  await expect.poll(() => log.locator('tbody tr').first().locator('td').nth(3).textContent()).toBe('2');
  await page.getByLabel('Status', { exact: true }).selectOption('failed');
  await page.getByText('No delivery has this status.').waitFor();
  expect(page.url()).toContain('status=failed');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Create a new secret' }).click();
  await page.getByText('Copy the signing secret').waitFor();
  expect(await page.getByRole('status').locator('code').textContent()).not.toBe(secret);
  await page.getByRole('link', { name: 'Webhooks' }).first().click();
  await page.getByRole('button', { name: `Disable ${receiver.url}` }).click();
  await page.getByText('disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Delete ${receiver.url}` }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
});

test('audit log: shows who changed what, with filters in the URL', async () => {
  const { id } = await api.organization.projects.create({ name: 'Audited' });
  await api.organization.projects.update(id, { requests_per_minute: 7 });
  const page = await openConsole('audit');
  await page.getByRole('combobox', { name: 'Action' }).selectOption('project.updated');
  await page.getByRole('combobox', { name: 'Project' }).selectOption('Audited');
  await expect.poll(() => page.url()).toContain(`type=project.updated&project=${id}`);
  await page.reload();
  await page.getByRole('button', { name: 'changed the project Audited' }).click();
  await page.getByRole('dialog').getByText('"requests_per_minute": 7').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const entries = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
  expect(await entries.count()).toBe(1);
  await page.getByRole('combobox', { name: 'By' }).selectOption({ index: 1 });
  await expect.poll(() => page.url()).toContain('actor=key_');
  await expect.poll(() => entries.count()).toBe(1);
});

test('a key without permissions sees only the pages that it may open', async () => {
  const page = await openConsole('', await server.createKey('read_only'));
  await page.getByRole('heading', { name: 'Completions', level: 1 }).waitFor();
  const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
  expect(links).not.toContain('Playground');
  for (const name of ['Usage', 'Access']) expect(links).not.toContain(name);
  expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0);
  await page.goto(`${server.url}/console/playground`);
  await page.getByRole('heading', { name: 'Playground needs another key' }).waitFor();
});
