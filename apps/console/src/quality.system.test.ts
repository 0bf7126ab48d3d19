import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPage } from './testing/browser.ts';
import type { OpenOptions } from './testing/browser.ts';
import { startNginx } from './testing/nginx.ts';
import { traceTasks } from './testing/task-trace.ts';
import { createBatch } from './testing/create-batch.ts';
import { openSignedIn, startConsole } from './testing/start-console.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = [
  ...['home', 'playground', 'completions', 'datasets', 'comparisons', 'batches', 'files', 'videos', 'moderation'],
  ...['usage', 'keys', 'budgets', 'audit', 'webhooks', 'models'],
];

const running = await startConsole();
const { server, browser, api } = running;

const openConsole = (path: string, options: Partial<OpenOptions> = {}): Promise<Page> =>
  openSignedIn(running, path, options);

/** Violations of the accessibility rules that are serious or critical. */
async function seriousViolations(page: Page): Promise<readonly string[]> {
  // The content security policy of the page blocks `addScriptTag`.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const messages = [{ role: 'user', content: 'Hello!' }] as const;

describe.each(['light', 'dark'] as const)('%s theme', (colorScheme) => {
  test('no page has serious accessibility violations or layout shifts, and none overflows between 390 and 3840 px', async () => {
    await fillPages();
    const page = await openConsole('', { colorScheme });
    await page.addInitScript(sumLayoutShifts);
    for (const name of pages) {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const context = `${name} at ${width} px`;
        expect(await layoutShiftOf(page, `${server.url}/console/${name}`), context).toBeLessThan(0.05);
        expect(await seriousViolations(page), context).toEqual([]);
        expect(await overflowOf(page), context).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 3840, height: 900 });
      expect(await overflowOf(page), `${name} at 3840 px`).toBeLessThanOrEqual(0);
    }
  });

  test('at 390 px, the menu and the sign-in form have no serious accessibility violations', async () => {
    const { page, context } = await openPage(browser, { url: server.url, colorScheme, width: 390 });
    onTestFinished(() => context.close());
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('API key').waitFor();
    expect(await seriousViolations(page), 'sign-in form').toEqual([]);
    await page.getByLabel('API key').fill(server.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(await seriousViolations(page), 'menu').toEqual([]);
  });
});

/** Opens a page and returns its layout shift: the lowest of three measurements, since resources load in another order on a busy machine. */
async function layoutShiftOf(page: Page, url: string): Promise<number> {
  const shifts: number[] = [];
  while (shifts.length < 3 && !shifts.some((shift) => shift < 0.05)) {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    shifts.push(await page.evaluate<number>('window.layoutShift'));
  }
  if (shifts.length > 1) {
    const moved = await page.evaluate<readonly string[]>('window.movedElements');
    process.stdout.write(`${url} shifted by ${shifts.join(', ')}: ${moved.join(' ')}\n`);
  }
  return Math.min(...shifts);
}

/** Sums the layout shifts of a page as `window.layoutShift`, and lists the moved elements as `window.movedElements`. Runs in the page. */
function sumLayoutShifts(): void {
  let sum = 0;
  const movedElements: string[] = [];
  Object.assign(window, { layoutShift: 0, movedElements });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!('value' in entry) || typeof entry.value !== 'number') continue;
      sum += entry.value;
      Object.assign(window, { layoutShift: sum });
      const sources: unknown = 'sources' in entry ? entry.sources : [];
      for (const { node } of Array.isArray(sources) ? sources : [])
        if (node instanceof Element) movedElements.push(`${entry.value}: ${node.outerHTML.slice(0, 80)}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Creates entries for the lists, so that the rules are applied to rows and not only to empty states. */
async function fillPages(): Promise<void> {
  await api.chat.completions.create({ model: 'simulator', store: true, metadata: { team: 'search' }, messages });
  await api.chat.completions.create({ model: 'none', messages }).catch(() => undefined);
  await api.files.create({ file: new File(['{}\n'], 'requests.jsonl'), purpose: 'batch' });
  const { data } = await api.organization.budgets.list();
  if (data.length > 0) return;
  await createComparison();
  await api.organization.webhooks.create({ url: 'https://hooks.example.com/modelwire', name: 'Alerts' });
  const limits = { soft_limit: 800_000, hard_limit: 1_000_000 };
  await api.organization.budgets.create({ project_id: 'default', unit: 'tokens', period: 'month', ...limits });
  await api.organization.budgets.create({ project_id: 'default', unit: 'tokens', period: 'day', soft_limit: 10 });
}

/** Compares a dataset with a rerun of it. Returns the IDs of the dataset and of the comparison. */
async function createComparison() {
  const dataset = await api.datasets.create({ format: 'evaluation' });
  const parameters = { max_completion_tokens: 3, store: false };
  const batch = await api.datasets.rerun({ dataset: dataset.id, parameters });
  await api.batches.wait(batch.id);
  const comparison = await api.datasets.compare({ dataset: dataset.id, candidate_batch_ids: [batch.id] });
  return { dataset: dataset.id, comparison: comparison.id };
}

test('pages can be operated with the keyboard: skip link, visible focus, dialogs that keep and return the focus', async () => {
  const page = await openConsole('keys');
  await page.getByRole('button', { name: 'Edit project' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  expect(await page.getByRole('link', { name: 'Skip to content' }).boundingBox()).toMatchObject({ x: 8, y: 8 });
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  expect(page.url()).toContain('/console/keys');
  expect(await page.title()).toBe('Keys and projects - Modelwire');
  while ((await focused()) !== 'Edit project') await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
  expect(outline).toBe('solid');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Project name').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  for (let count = 0; count < 12; count++) {
    await page.keyboard.press('Tab');
    // When a control of the browser has the focus, the active element of the page is the body.
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && document.activeElement?.closest('[role="dialog"]') === null,
    );
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused()).toBe('Edit project');
});

describe.each(['light', 'dark'] as const)('%s theme', (colorScheme) => {
  test('no detail page, such as of a completion or a comparison, has serious violations, and none overflows from 390 to 3840 px', async () => {
    const completion = await api.chat.completions.create({ model: 'simulator', store: true, messages });
    const line = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'none', messages } };
    const batch = await createBatch(api, [JSON.stringify(line)]);
    await api.batches.wait(batch.id);
    const video = await api.videos.create({ prompt: 'A river' });
    const webhook = await api.organization.webhooks.create({ url: 'https://hooks.example.com/details' });
    const { dataset, comparison } = await createComparison();
    const page = await openConsole('', { colorScheme });
    const details = [
      `completions/${completion.id}`,
      `datasets/${dataset}`,
      `comparisons/${comparison}`,
      `batches/${batch.id}`,
      `files/${batch.input_file_id}`,
      `videos/${video.id}`,
      `webhooks/${webhook.id}`,
    ] as const;
    for (const path of details) {
      await page.goto(`${server.url}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of [1280, 390, 3840]) {
        await page.setViewportSize({ width, height: 900 });
        const context = `${path} at ${width} px`;
        expect(await overflowOf(page), context).toBeLessThanOrEqual(0);
        if (width < 3840) expect(await seriousViolations(page), context).toEqual([]);
      }
    }
    await api.videos.delete(video.id);
    await api.organization.webhooks.delete(webhook.id);
  });
});

test('at 3840 px, lines of text stay readable', async () => {
  const { id } = await api.chat.completions.create({
    ...{ model: 'simulator', store: true },
    messages: [{ role: 'user', content: 'A long question. '.repeat(100) }],
  });
  const page = await openConsole(`completions/${id}`, { width: 3840 });
  const text = page.locator('.turn .plain');
  const fontSize = Number.parseFloat(await text.evaluate((element) => getComputedStyle(element).fontSize));
  const { width = Infinity } = (await text.boundingBox()) ?? {};
  // About two characters have the width of the font size.
  expect((width / fontSize) * 2).toBeLessThan(120);
});

/** The number of pixels by which the page is wider than the window. */
async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

test('the first page loads with an empty cache without layout shifts', async () => {
  const signedIn = await openConsole('playground');
  const storageState = await signedIn.context().storageState();
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(sumLayoutShifts);
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('.tiles') === null) return;
      Object.assign(window, { usableMs: performance.now() });
      observer.disconnect();
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${server.url}/console/`);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const usableMs = await page.evaluate<number>('window.usableMs');
  // For the reader of the log: the time depends on what else runs.
  process.stdout.write(`first page usable after ${Math.round(usableMs)} ms\n`);
  expect(await page.evaluate<number>('window.layoutShift')).toBeLessThan(0.1);
  await context.close();
});

test('the measured CPU time of tasks includes that of a script', async () => {
  const page = await openConsole('files');
  const longest = await traceTasks(browser, page);
  await page.evaluate(() => {
    const end = performance.now() + 2000;
    while (performance.now() < end);
  });
  expect(await longest()).toBeGreaterThan(200);
});

test('5,000 rows scroll without a task over 200 ms of CPU time, and few of them are rendered', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) =>
    JSON.stringify({
      custom_id: `request-${index}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'simulator', store: true, metadata: { run: '5000' }, messages },
    }),
  );
  const batch = await createBatch(api, [lines.join('\n')]);
  await api.batches.wait(batch.id);
  const page = await openConsole('completions?metadata=run%3D5000');
  const list = page.getByRole('region', { name: 'Completions' });
  await list.waitFor();
  const longest = await traceTasks(browser, page);
  const rows = (): Promise<number> =>
    list.locator('table').evaluate((table) => Number(table.getAttribute('aria-rowcount')));
  await expect
    .poll(
      async () => {
        await list.evaluate((element) => element.scrollBy(0, 100_000));
        return rows();
      },
      { timeout: 240_000, interval: 50 },
    )
    .toBe(5001);
  expect(await list.locator('tr').count()).toBeLessThan(80);
  const ms = await longest();
  process.stdout.write(`longest task while scrolling: ${Math.round(ms)} ms of CPU time\n`);
  expect(ms).toBeLessThan(200);
});

test('a hostile completion is shown as text: scripts, links, a line of a million characters, right-to-left marks', async () => {
  const hostile = [
    '<script>window.attacked = 1</script><img src=x onerror="window.attacked = 2">',
    '[link](javascript:window.attacked=3) ![image](https://attacker.example/pixel.png)',
    '\u202Egnp.exe مرحبا',
    '| a | b |\n|---|---|\n| <svg onload=alert(1)> | x |',
  ].join('\n\n');
  const { id } = await api.chat.completions.create({
    model: 'simulator',
    store: true,
    messages: [
      { role: 'user', content: 'x'.repeat(1_000_000) },
      { role: 'assistant', content: hostile },
      { role: 'assistant', content: 'y'.repeat(1_000_000) },
      { role: 'user', content: 'Hello!' },
    ],
  });
  const page = await openConsole('completions');
  const longest = await traceTasks(browser, page);
  await page.goto(`${server.url}/console/completions/${id}`);
  await page.getByText('<script>window.attacked = 1</script>').waitFor();
  await page.getByText('980,000 more characters are not shown.').first().waitFor();
  const ms = await longest();
  process.stdout.write(`longest task with lines of a million characters: ${Math.round(ms)} ms of CPU time\n`);
  expect(ms).toBeLessThan(1000);
  expect(await page.evaluate('window.attacked')).toBeUndefined();
  expect(await page.locator('main a[href^="javascript"], main img, main svg:not(.icon)').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'image' }).getAttribute('href')).toBe(
    'https://attacker.example/pixel.png',
  );
});

test('10,000 messages: the page shows the first fifty, and the playground refuses more than a thousand', async () => {
  const page = await openConsole(`completions/${await storeMessages(10_000)}`);
  await page.getByRole('button', { name: 'Load more messages' }).waitFor();
  expect(await page.locator('.turn').count()).toBe(50);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('The completion has more than 1,000 messages.').waitFor();
});

test('600 messages: the playground shows the last hundred, and typing stays fast', async () => {
  const page = await openConsole(`completions/${await storeMessages(600)}`);
  await page.getByRole('button', { name: 'Run again' }).click();
  // The stored messages include the reply.
  await page.getByRole('button', { name: 'Show earlier messages (501)' }).waitFor();
  const longest = await traceTasks(browser, page);
  await page.getByLabel('Message', { exact: true }).pressSequentially('Typing stays fast');
  expect(await longest()).toBeLessThan(200);
});

/** Stores a completion whose request has this many messages, and returns its ID. */
async function storeMessages(count: number): Promise<string> {
  const many = Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `Message ${index}` }));
  const { id } = await api.chat.completions.create({ model: 'simulator', store: true, messages: many });
  return id;
}

test('an upload of 200 MB is resumed after a reload interrupted it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-upload-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'large.bin');
  writeFileSync(path, 'first bytes');
  const bytes = 200 * 1024 ** 2;
  truncateSync(path, bytes);
  const page = await openConsole('files');
  await uploadUserData(page, path);
  await page.getByText(/Sending · (?!0 B)[\d.]+ MB of 209.7 MB/).waitFor();
  await page.reload();
  await page.getByText('Interrupted: large.bin.').waitFor();
  let parts = 0;
  page.on('request', (request) => (parts += /\/parts$/.test(request.url()) ? 1 : 0));
  await uploadUserData(page, path);
  await page.getByText('Stored · 209.7 MB of 209.7 MB').waitFor({ timeout: 120_000 });
  expect(parts).toBeLessThan(25);
  expect(parts).toBeGreaterThan(0);
  const { data } = await api.files.list({ purpose: 'user_data' });
  expect(data[0]).toMatchObject({ bytes, filename: 'large.bin' });
});

/** Uploads a file with the dialog of the page of files. */
async function uploadUserData(page: Page, file: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  await page.getByRole('button', { name: 'Upload files' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Purpose').selectOption('user_data');
  await dialog.getByLabel('Files to upload').setInputFiles(file);
}

test('works behind nginx, which removes a path prefix of two segments', async () => {
  const nginx = await startNginx(server.url, '/a/b');
  onTestFinished(() => nginx[Symbol.asyncDispose]());
  const page = await openConsole('', { url: nginx.url });
  // Without a trailing slash, and at the root of the server.
  await page.goto(nginx.url);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  expect(page.url()).toBe(`${nginx.url}/console/home`);
  await page.getByRole('link', { name: 'Playground' }).first().click();
  await page.getByLabel('Message', { exact: true }).fill('Hello!');
  await page.keyboard.press('Enter');
  await page.getByText('The reply is complete.').waitFor();
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
  await page.reload();
  // Larger than the default limit of nginx.
  const file = { name: 'two-megabytes.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2_000_000) };
  await uploadUserData(page, file);
  await page.getByText('Stored').waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'modelwire_session', path: '/a/b' });
});
