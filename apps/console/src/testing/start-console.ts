import { Modelwire } from '@modelwire/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { launchBrowser, openPage, signIn } from './browser.ts';
import type { OpenOptions } from './browser.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

export interface RunningConsole {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** A client with the key of the administrator. */
  readonly api: Modelwire;
}

/**
 * Starts a server with this configuration, and a browser, for all tests of a file. `global-setup.ts` has already
 * built the console.
 */
export async function startConsole(config: object = {}): Promise<RunningConsole> {
  const server = await startServer(config);
  const browser = await launchBrowser();
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, browser, api: new Modelwire({ baseURL: `${server.url}/v1`, apiKey: server.key }) };
}

interface SignedInOptions extends Partial<OpenOptions> {
  /** Default: the key of the administrator. */
  readonly key?: string;
}

/** A signed-in page of the console. The test fails if the browser reports an error or a request to another host. */
export async function openSignedIn(
  { server, browser }: RunningConsole,
  path: string,
  { key = server.key, url = server.url, ...options }: SignedInOptions = {},
): Promise<Page> {
  const { page, context, problems } = await openPage(browser, { url, ...options });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  await signIn(page, url, key);
  await page.goto(`${url}/console/${path}`);
  return page;
}
