import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSchema, environmentVariables } from '@modelwire/server-app/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

test('The Dockerfile has instructions that there are, ends as a user without rights, and looks after itself', () => {
  const text = read('Dockerfile').replaceAll(/\\\n/g, ' ');
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const known = /^(FROM|WORKDIR|ENV|COPY|RUN|USER|VOLUME|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT) \S/;
  expect(lines.filter((line) => !known.test(line))).toEqual([]);
  const stages = lines.filter((line) => line.startsWith('FROM ')).map((line) => /AS (\w+)$/.exec(line)?.[1]);
  for (const [, stage] of text.matchAll(/--from=(\w+)/g)) expect(stages).toContain(stage);
  for (const [, image] of text.matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/:\d/);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last).toContain('USER node');
  expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
  for (const json of text.matchAll(/^(?:ENTRYPOINT|.*\bCMD) (\[.*\])$/gm))
    expect(() => z.array(z.string()).parse(JSON.parse(json[1] ?? ''))).not.toThrow();
  // What is started is what the package calls its program.
  const { publishConfig } = z
    .object({ publishConfig: z.object({ bin: z.object({ 'modelwire-server': z.string() }) }) })
    .parse(JSON.parse(readFileSync(join(deploy, '../apps/server/package.json'), 'utf8')));
  expect(text).toContain(`@modelwire/server-app/${publishConfig.bin['modelwire-server'].replace('./', '')}`);
});

const composeSchema = z.strictObject({
  name: z.string(),
  'x-logging': z.unknown(),
  'x-server': z.unknown(),
  services: z.record(
    z.string(),
    z.strictObject({
      image: z.string().regex(/:[\d.v]+|^modelwire$/),
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      restart: z.literal('unless-stopped').optional(),
      logging: z.object({ driver: z.literal('json-file'), options: z.record(z.string(), z.string()) }).optional(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
      healthcheck: z
        .object({ test: z.array(z.string()) })
        .loose()
        .optional(),
      depends_on: z
        .record(
          z.string(),
          z.object({ condition: z.enum(['service_healthy', 'service_started', 'service_completed_successfully']) }),
        )
        .optional(),
      stop_grace_period: z.string().optional(),
      read_only: z.boolean().optional(),
      tmpfs: z.array(z.string()).optional(),
      cap_drop: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
      extra_hosts: z.array(z.string()).optional(),
      networks: z.record(z.string(), z.object({ aliases: z.array(z.string()) })).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

test('The compose file is well-formed, its parts know each other, and it sets only what the server knows', () => {
  const { services, volumes } = composeSchema.parse(parse(read('compose.yaml'), { merge: true }));
  for (const [name, { depends_on = {}, volumes: mounted = [], environment = {} }] of Object.entries(services)) {
    for (const other of Object.keys(depends_on)) expect(services, name).toHaveProperty(other);
    for (const volume of mounted) {
      const [from = ''] = volume.split(':');
      if (from.startsWith('./')) expect(existsSync(join(deploy, from)), volume).toBe(true);
      else expect(volumes, name).toHaveProperty(from);
    }
    if (name.startsWith('modelwire-'))
      for (const variable of Object.keys(environment)) expect(Object.keys(environmentVariables)).toContain(variable);
  }
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect(asked.length).toBeGreaterThan(2);
  for (const name of asked) expect(read('env.example')).toContain(`${name ?? ''}=`);
  for (const name of ['modelwire-1', 'modelwire-2'])
    expect(services[name]?.networks).toEqual({ default: { aliases: ['modelwire'] } });
  for (const name of ['nginx.conf', 'nginx-tls.conf'])
    expect(read(name)).toContain('set $modelwire http://modelwire:8787;');
});

test('compose.yaml publishes plain HTTP on the local machine only, and limits the logs of requests', () => {
  const { services } = composeSchema.parse(parse(read('compose.yaml'), { merge: true }));
  const published = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(published).toEqual(['127.0.0.1:${PORT:-8787}:8787']);
  for (const name of ['modelwire-1', 'modelwire-2', 'proxy'])
    expect(services[name]?.logging?.options, name).toHaveProperty('max-size');
});

test('PostgreSQL is healthy only once it accepts TCP connections', () => {
  const { services } = composeSchema.parse(parse(read('compose.yaml'), { merge: true }));
  expect(services['postgres']?.healthcheck?.test).toContain('--host=127.0.0.1');
});

test('secrets and certificates of the compose files stay out of images and commits', () => {
  const inImage = read('Dockerfile.dockerignore').split('\n');
  const inCommits = read('../.gitignore').split('\n');
  for (const path of ['deploy/.env', 'deploy/tls']) expect(inImage).toContain(path);
  for (const path of ['/deploy/.env', '/deploy/tls/']) expect(inCommits).toContain(path);
});

test('commands in the container find the program on the PATH, as the pages call it', () => {
  expect(read('Dockerfile')).toContain('ENV PATH=/app/node_modules/.bin:$PATH');
  expect(read('README.md')).toContain('docker exec modelwire modelwire-server keys create');
});

test.each(['compose.tls.yaml', 'compose.monitoring.yaml'])(
  '%s adds to services that there are, and mounts files that there are',
  (name) => {
    const { services, volumes = {} } = z
      .object({
        services: z.record(
          z.string(),
          z.object({ image: z.string().optional(), volumes: z.array(z.string()) }).loose(),
        ),
        volumes: z.record(z.string(), z.null()).optional(),
      })
      .parse(parse(read(name)));
    const base = composeSchema.parse(parse(read('compose.yaml'), { merge: true })).services;
    for (const [service, { image, volumes: mounted }] of Object.entries(services)) {
      if (image === undefined) expect(base).toHaveProperty(service);
      for (const volume of mounted) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('./')) expect(existsSync(join(deploy, from)), volume).toBe(true);
        else if (!from.startsWith('$')) expect(volumes).toHaveProperty(from);
      }
    }
  },
);

test('The examples of the Helm chart have configurations that the server knows, and the chart runs its version', () => {
  const examples = readdirSync(join(deploy, 'helm/examples'));
  expect(examples.length).toBeGreaterThan(2);
  for (const name of examples) {
    const { config } = z
      .object({ config: configSchema })
      .loose()
      .parse(parse(read(`helm/examples/${name}`)));
    expect(config.simulator, name).toBe(false);
    expect(read('helm/README.md')).toContain(`(examples/${name})`);
  }
  const { appVersion } = z
    .object({ appVersion: z.string() })
    .loose()
    .parse(parse(read('helm/Chart.yaml')));
  const { version } = z
    .object({ version: z.string() })
    .loose()
    .parse(JSON.parse(read('../apps/server/package.json')));
  // The first release is 0.1.0.
  expect(appVersion).toBe(version === '0.0.0' ? '0.1.0' : version);
});

test('The systemd unit has its sections, each line of it is a setting, and it runs with little', () => {
  const lines = read('modelwire.service')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.filter((line) => line.startsWith('['))).toEqual(['[Unit]', '[Service]', '[Install]']);
  expect(lines.filter((line) => !/^\[\w+\]$|^[A-Z]\w+=.*$/.test(line))).toEqual([]);
  for (const setting of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict'])
    expect(lines).toContain(setting);
});
