import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const run = promisify(execFile);
const grafana = new URL('../../../../deploy/grafana/', import.meta.url);
const ask = { model: 'simulator', messages: [{ role: 'user' as const, content: 'Hello' }] };

interface AlertRules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}

interface AlertTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly unknown[] }[];
  }[];
}

const readYaml = (name: string): unknown => parse(readFileSync(new URL(name, grafana), 'utf8'));

let servers: readonly TestServer[];
beforeAll(async () => {
  servers = await Promise.all([startTestServer(), startTestServer({ metrics: { projects: true } })]);
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

describe('promtool', () => {
  test('reports no problems of the metrics', async () => {
    for (const { client, url } of servers) {
      await client.chat.completions.create(ask);
      await client.chat.completions.create({ ...ask, model: 'unknown' }).catch(() => undefined);
      const input = await (await fetch(`${url}/metrics`)).text();
      expect(execFileSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })).toBe('');
    }
  });

  test('reports no problems of the alert rules, and their tests pass', async () => {
    expect((await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd: grafana })).stdout).toContain('SUCCESS');
    expect((await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: grafana })).stdout).toContain('SUCCESS');
  });
});

test('each alert has a test in which it fires, with its labels and annotations, and one in which it does not fire', () => {
  const { groups } = readYaml('alerts.yml') as AlertRules;
  const { tests } = readYaml('alerts.test.yml') as AlertTests;
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) {
    const expected = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts = [] }) => exp_alerts);
    expect(expected, alert).toContainEqual([]);
    expect(expected, alert).toContainEqual([
      { exp_labels: expect.any(Object) as object, exp_annotations: expect.any(Object) as object },
    ]);
  }
});

test('the dashboard and the alert rules use metrics that the server has', async () => {
  const text = await (await fetch(`${servers[0]?.url}/metrics`)).text();
  const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const files = ['dashboards/modelwire.json', 'alerts.yml'].map((name) => readFileSync(new URL(name, grafana), 'utf8'));
  const used = [...files.join('\n').matchAll(/\bmodelwire_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ''));
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !served.has(name))).toEqual([]);
});

test('Prometheus counts the requests of two replicas under load', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-prometheus-'));
  const targets = servers.map(({ url }) => new URL(url).host);
  const scrape = { job_name: 'modelwire', static_configs: [{ targets }] };
  // JSON is YAML.
  const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [scrape] };
  writeFileSync(join(folder, 'prometheus.json'), JSON.stringify(config));
  const prometheus = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.json')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
  ]);
  onTestFinished(async () => {
    const exited = new Promise((resolve) => prometheus.once('exit', resolve));
    prometheus.kill();
    await exited;
    rmSync(folder, { recursive: true });
  });
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    prometheus.once('error', reject);
    prometheus.stderr.on('data', (piece: Buffer) => {
      output += piece.toString();
      const [, found] = /msg="Listening on" address=(\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  async function query(expression: string): Promise<number | undefined> {
    const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
    const value = data.result[0]?.value[1];
    return value === undefined ? undefined : Number(value);
  }
  const chat = 'route="/v1/chat/completions",status="200"';
  const completed = `sum(modelwire_requests_total{${chat}})`;
  const output = 'sum(modelwire_tokens_total{type="output"})';
  await expect.poll(() => query('sum(up)'), { timeout: 20_000, interval: 200 }).toBe(2);
  await expect.poll(() => query(completed), { timeout: 20_000, interval: 200 }).toBe(2);
  const before = { requests: await query(completed), tokens: await query(output) };

  const sent = { requests: 0, tokens: 0 };
  async function load({ client }: TestServer): Promise<void> {
    for (let count = 0; count < 100; count++) {
      const { usage } = await client.chat.completions.create(ask);
      sent.requests++;
      sent.tokens += usage?.completion_tokens ?? 0;
    }
  }
  await Promise.all([...servers, ...servers].map(load));
  const requests = async () => ((await query(completed)) ?? 0) - (before.requests ?? 0);
  await expect.poll(requests, { timeout: 20_000, interval: 200 }).toBe(sent.requests);
  const tokens = ((await query(output)) ?? 0) - (before.tokens ?? 0);
  expect(sent.tokens).toBeGreaterThan(0);
  expect(Math.abs(tokens - sent.tokens) / sent.tokens).toBeLessThan(0.01);
});
