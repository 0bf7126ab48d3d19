import type { App } from './app.ts';
import { connect } from './connection.ts';
import { checkText } from './doctor/check-text.ts';
import { checkServer } from './doctor/server.ts';

const timeoutSeconds = 2;

const withServer = {
  'modelwire chat': 'Start an interactive chat',
  'modelwire top': 'Watch requests, upstreams and batches of the server',
  'modelwire models list': 'List the models',
  'modelwire doctor': 'Diagnose problems',
  'modelwire help': 'List all commands',
};
const withoutServer = {
  'modelwire init': 'Write a configuration file for what runs on this machine',
  'modelwire serve': 'Start a server, with an embedded simulator if nothing is configured',
  'modelwire doctor': 'Diagnose problems',
  'modelwire config set base-url <url>': 'Use another server',
  'modelwire help': 'List all commands',
};

/** What `modelwire` without arguments prints: whether the configured server responds, and the commands that help now. */
export async function printStartPage({ settings, options, print, signal }: App): Promise<void> {
  const found = await settings();
  const client = connect(found, { ...options, timeout: options.timeout ?? timeoutSeconds, retries: 0 }, print);
  const { checks, isUsable, models } = await checkServer(found, client, signal);
  if (print.json) {
    await print.value({ base_url: found.baseURL.value, is_usable: isUsable, models });
    return;
  }
  const next = Object.entries(isUsable ? withServer : withoutServer);
  const width = Math.max(...next.map(([command]) => command.length));
  const lines = next.map(([command, summary]) => `  ${print.style('bold', command.padEnd(width))}  ${summary}\n`);
  await print.raw(`${checks.map((check) => checkText(check, print.style)).join('')}\n${lines.join('')}`);
}
