import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings, start } from '@modelwire/server-app';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { programFolder } from './programs.ts';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

/** Whether a program of this name can be run here. */
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

test.skipIf(!has('systemd-analyze'))('systemd-analyze finds no error in the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-unit-'));
  const unit = join(folder, 'modelwire.service');
  // The program is not installed here.
  writeFileSync(unit, read('modelwire.service').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr.split('\n').filter((line) => line.includes('modelwire'))).toEqual([]);
  expect(status).toBe(0);
});

const chart = join(deploy, 'helm');
const examples = readdirSync(join(chart, 'examples')).map((name) => `examples/${name}`);

/** Runs helm with the default values, those of a file of the chart, and single ones. */
const helm = (command: readonly string[], values: string, set: readonly string[] = []) =>
  spawnSync('helm', [...command, chart, '--values', join(chart, values), ...set.flatMap((one) => ['--set', one])], {
    encoding: 'utf8',
  });

/** The Kubernetes objects of a release. */
function rendered(values: string) {
  const { status, stdout, stderr } = helm(['template', 'modelwire'], values);
  expect(status, stderr).toBe(0);
  const objects = parseAllDocuments(stdout).map((document) => kubernetesObject.parse(document.toJS()));
  return { text: stdout, objects, kinds: objects.map(({ kind }) => kind) };
}

const kubernetesObject = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) }).loose();
const configMap = z.object({ data: z.object({ 'modelwire.config.yaml': z.string() }) });
const deployment = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            env: z.array(
              z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() }),
            ),
          }),
        ]),
      }),
    }),
  }),
});

describe.skipIf(!has('helm'))('the Helm chart', () => {
  test.each(['values.yaml', ...examples])('%s: helm finds nothing to complain about', (values) => {
    const { status, stdout } = helm(['lint', '--strict', '--quiet'], values);
    expect(stdout).not.toMatch(/WARNING|ERROR/);
    expect(status).toBe(0);
  });

  test.each([
    ['values.yaml', ['PersistentVolumeClaim']],
    ['examples/gguf.yaml', ['PersistentVolumeClaim']],
    ['examples/replicas.yaml', ['Ingress', 'PodDisruptionBudget', 'ServiceMonitor']],
    ['examples/autoscaling.yaml', ['HTTPRoute', 'HorizontalPodAutoscaler', 'PodDisruptionBudget']],
  ])('%s: has the objects that it needs', (values, kinds) => {
    const always = ['ConfigMap', 'Deployment', 'Pod', 'Service', 'ServiceAccount'];
    expect(rendered(values).kinds.toSorted()).toEqual([...always, ...kinds].toSorted());
  });

  test.each(['values.yaml', ...examples])(
    '%s: the server accepts the configuration and the environment',
    async (values) => {
      const { objects } = rendered(values);
      const folder = programFolder();
      const ofKind = (kind: string) => objects.find((object) => object.kind === kind);
      const path = join(folder, 'modelwire.config.yaml');
      writeFileSync(path, configMap.parse(ofKind('ConfigMap')).data['modelwire.config.yaml']);
      const [{ env }] = deployment.parse(ofKind('Deployment')).spec.template.spec.containers;
      const variables: Record<string, string> = { OPENAI_API_KEY: 'of secrets.environment' };
      for (const { name, value = 'a-secret' } of env) variables[name] = value;
      if ('MODELWIRE_DATABASE_URL' in variables) variables['MODELWIRE_DATABASE_URL'] = 'postgres://database/modelwire';
      const settings = await readSettings(folder, { ...variables, MODELWIRE_CONFIG: path });
      expect(settings).toMatchObject({ host: '0.0.0.0', port: 8787, data: '/data', configPath: path });
      if (values !== 'values.yaml') return;
      const running = await start({ ...settings, host: '127.0.0.1', port: 0, data: folder, logLevel: 'silent' });
      onTestFinished(() => running.stop());
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    },
  );

  test.each([
    ['values.yaml', 'replicas=2', 'Several replicas need secrets.database.name and config.s3'],
    ['values.yaml', 'autoscaling.enabled=true', 'Several replicas need secrets.database.name and config.s3'],
    ['values.yaml', 'secrets.database.name=x', 'secrets.database.name needs secrets.apiKeys.name'],
    ['values.yaml', 'config.apiKeys={x}', 'config.apiKeys cannot be set here: use secrets.apiKeys'],
    ['values.yaml', 'config.upstreams[0].apiKey=x', 'a ConfigMap is not secret'],
    ['values.yaml', 'config.upstreams[0].headers.Authorization=x', 'the header Authorization looks secret'],
    ['values.yaml', 'config.providers[0].options.headers.x-api-key=x', 'the header x-api-key looks secret'],
    ['values.yaml', 'ingress.enabled=true', 'ingress'],
    ['values.yaml', 'replica=2', "'replica' not allowed"],
    ['examples/replicas.yaml', 'replicas=0', 'replicas'],
  ])('%s with %s is refused: %s', (values, set, message) => {
    const { status, stderr } = helm(['template', 'modelwire'], values, [set]);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });

  test.skipIf(!has('kubeconform')).each(['values.yaml', ...examples])('%s: kubeconform knows every field', (values) => {
    const schemas = process.env['MODELWIRE_KUBERNETES_SCHEMAS'];
    const location = schemas === undefined ? [] : ['-schema-location', schemas];
    // Types of operators, which Kubernetes has no schemas of.
    const args = ['-strict', '-kubernetes-version', '1.30.0', '-skip', 'HTTPRoute,ServiceMonitor', ...location];
    const { status, stdout } = spawnSync('kubeconform', args, { input: rendered(values).text, encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});

/** Version 1, the program docker-compose, does not know the files' format. */
const hasCompose = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;

test.skipIf(!hasCompose)('Docker Compose accepts the files, alone and together', () => {
  const env = { ...process.env, MODELWIRE_API_KEYS: 'a-key-of-the-test', POSTGRES_PASSWORD: 'x', S3_SECRET: 'y' };
  const files = ['compose.yaml', 'compose.tls.yaml', 'compose.monitoring.yaml'].flatMap((name) => ['-f', name]);
  for (const used of [files.slice(0, 2), files, ['-f', 'grafana/compose.yaml']]) {
    const { status, stdout, stderr } = spawnSync('docker', ['compose', ...used, 'config'], {
      cwd: deploy,
      env,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('image:');
  }
});
