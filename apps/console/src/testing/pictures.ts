/**
 * Makes a picture of each page of the console in both themes and on a phone, from a server with realistic data, into the folder that is
 * given: `node apps/console/src/testing/pictures.ts docs/console`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, signIn } from './browser.ts';
import { buildConsole } from './built-console.ts';
import { seedServer } from './seed-server.ts';

const [folder = '.', ...only] = process.argv.slice(2);
const variants = [
  { name: '', colorScheme: 'light', width: 1280 },
  { name: '-dark', colorScheme: 'dark', width: 1280 },
  { name: '-phone', colorScheme: 'light', width: 390 },
] as const;

async function takePictures(browser: Browser, url: string, key: string, paths: Readonly<Record<string, string>>) {
  for (const { name: suffix, colorScheme, width } of variants) {
    const { page, context, problems } = await openPage(browser, { url, colorScheme });
    await signIn(page, url, key);
    await page.setViewportSize({ width, height: 800 });
    for (const [name, path] of Object.entries(paths)) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.goto(`${url}/console/${path}`);
      if (name === 'playground') await converse(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name}${suffix}.png`) });
    }
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    await context.close();
  }
}

async function converse(page: Page): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill('How do I descale the kettle?');
  await page.keyboard.press('Enter');
  await page.locator('.figures').waitFor();
}

mkdirSync(folder, { recursive: true });
buildConsole();
await using server = await seedServer();
const browser = await launchBrowser();
await takePictures(browser, server.url, server.key, server.paths);
await browser.close();
