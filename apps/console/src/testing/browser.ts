import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const executablePath = process.env['MODELWIRE_CHROMIUM'] ?? '/usr/bin/chromium';

/** Launches the Chromium of the operating system. */
export function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no browser at ${executablePath}. Install chromium, or set MODELWIRE_CHROMIUM to its path.`,
    );
  }
  return chromium.launch({ executablePath });
}

export interface OpenOptions {
  readonly url: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Opens a page in a new browser context and collects errors and requests to other hosts. */
export async function openPage(browser: Browser, { url, colorScheme = 'light', width = 1280 }: OpenOptions) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  const problems: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser logs each response with an error status; they are not errors of the page.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const target = request.url();
    if (/^https?:/.test(target) && new URL(target).origin !== origin) problems.push(`request to ${target}`);
  });
  page.setDefaultTimeout(60_000);
  return { page, context, problems };
}

/** Signs in with the form. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/console/`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
