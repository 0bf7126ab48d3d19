import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openPage } from './testing/browser.ts';
import { startScriptedUpstream } from './testing/scripted-upstream.ts';
import { openSignedIn, startConsole } from './testing/start-console.ts';

const upstream = await startScriptedUpstream();
const running = await startConsole({
  simulator: false,
  upstreams: [{ name: 'scripted', baseURL: upstream.baseURL }],
});
afterAll(() => upstream[Symbol.asyncDispose]());
const { server, browser, api } = running;

const openConsole = (path: string): Promise<Page> => openSignedIn(running, path);

test('the sign-in form works with the keyboard alone', async () => {
  const { page, context } = await openPage(browser, server);
  onTestFinished(() => context.close());
  await page.goto(`${server.url}/console/`);
  await page.getByLabel('API key').waitFor();
  await page.keyboard.type(server.key);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('heading', { name: 'Home', level: 1 }).isVisible()).toBe(true);
});

test('with the keyboard alone, in the playground a message is written, sent and stopped; ? lists the shortcuts', async () => {
  const page = await openConsole('playground');
  await page.getByRole('combobox', { name: 'Model' }).getByRole('option', { name: 'scripted' }).waitFor({
    state: 'attached',
  });
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('Hello!');
  await page.keyboard.press('Enter');
  await page.getByText('The reply is complete.').waitFor();
  await tabTo(page, 'Edit');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' Tell an endless story.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Generating…').waitFor();
  await page.locator('.turn.assistant').getByText('Hi').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Stopped.').waitFor();
  await tabTo(page, 'Regenerate');
  await page.keyboard.press('Enter');
  await page.getByText('Generating…').waitFor();
  await page.locator('.turn.assistant').getByText('Hi').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Stopped.').waitFor();
  // From both replies, and before the server would disconnect from an upstream that sends nothing for two minutes.
  await expect.poll(upstream.disconnects, { timeout: 20_000 }).toBe(2);
});

test('with the keyboard alone, completions are filtered, opened and deleted', async () => {
  const request = { model: 'scripted', store: true, messages: [{ role: 'user', content: 'Hello!' }] } as const;
  const { id } = await api.chat.completions.create({ ...request, metadata: { by: 'keyboard' } });
  await api.chat.completions.create(request);
  const page = await openConsole('completions');
  await page.getByRole('region', { name: 'Completions' }).waitFor();
  // The search, the model, the metadata.
  await page.keyboard.press('/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('by=keyboard');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('tbody tr:not(.spacer)').count()).toBe(1);
  await tabTo(page, `Select ${id}`);
  await page.keyboard.press('Space');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hello!', level: 1 }).waitFor();
  await tabTo(page, 'Delete');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Delete completion');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Completions' }).waitFor();
  await expect(api.chat.completions.retrieve(id)).rejects.toThrow();
});

test('with the keyboard alone, a file is chosen, uploaded and opened', async () => {
  const page = await openConsole('files');
  await page.getByRole('button', { name: 'Upload files' }).waitFor();
  await tabTo(page, 'Upload files');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, 'Choose files');
  await page.keyboard.press('Enter');
  const buffer = Buffer.from('{}\n');
  await (await chooser).setFiles({ name: 'typed.jsonl', mimeType: 'application/jsonl', buffer });
  await page.getByText('Stored').waitFor();
  await tabTo(page, 'typed.jsonl');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('heading', { name: 'typed.jsonl' }).isVisible()).toBe(true);
});

/** Presses Tab until the element with this accessible name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = (): Promise<string | null> =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );
  for (let presses = 0; presses < 80; presses++) {
    if ((await focused()) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}.`);
}
