import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';
import { startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { webhookRecord } from '../testing/webhook-record.ts';

test('an event whose delivery was interrupted by a kill is delivered after the restart, with the same ID', async () => {
  const receiver = await startWebhookReceiver();
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-webhooks-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const config = { data: 'data', jobLeaseMs: 1000, webhookTrustedHosts: [receiver.host] };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  const first = await startProcess(cwd);
  receiver.answer(0);
  const stores = await openSqliteStores({ path: join(cwd, 'data', 'modelwire.sqlite') });
  onTestFinished(() => stores.close());
  const webhook = webhookRecord('webhook_1', receiver.url);
  await stores.webhooks.add(webhook);
  const { id } = await clientOf(first.url).responses.create({ model: 'simulator', input: 'Hi', background: true });
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
  first.kill('SIGKILL');
  await first.exited;
  receiver.answer(200);
  const second = await startProcess(cwd);
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);
  const [interrupted, delivered] = receiver.received;
  expect(delivered?.headers['webhook-id']).toBe(interrupted?.headers['webhook-id']);
  expect(delivered?.event).toMatchObject({ type: 'response.completed', data: { id } });
  await expect
    .poll(async () => (await stores.webhooks.deliveries({ webhook: webhook.id, limit: 10 }))?.items)
    .toMatchObject([{ status: 'succeeded' }]);
  second.kill('SIGKILL');
  await second.exited;
});
