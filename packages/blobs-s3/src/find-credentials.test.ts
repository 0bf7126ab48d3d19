import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { faultyStore } from './testing/faulty-proxy.ts';

afterEach(() => void vi.unstubAllEnvs());

/** No variable and no file of the machine names credentials, unless `env` does. */
async function isolate(env: Readonly<Record<string, string>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'modelwire-credentials-'));
  onTestFinished(() => rm(home, { recursive: true }));
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(home, 'credentials'));
  vi.stubEnv('AWS_CONFIG_FILE', join(home, 'config'));
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return home;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A bucket that accepts the signatures of one secret, opened without credentials. */
async function openBucket() {
  const { options, received } = await faultyStore(() => undefined);
  const { accessKeyId, secretAccessKey, ...bucket } = options;
  const open = async () => {
    const blobs = await openS3Blobs({ ...bucket, attempts: 1 });
    onTestFinished(() => blobs.close());
    return blobs;
  };
  return { bucket, keys: { accessKeyId, secretAccessKey }, open, received };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('the role of an instance: a token is requested, then the name of the role and its credentials', async () => {
  const { keys, open, received } = await openBucket();
  const asked: unknown[] = [];
  const endpoint = await serve(({ method, url, headers }, response) => {
    asked.push([method, url]);
    if (url === '/latest/api/token' && headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined)
      response.end('token-of-the-instance');
    else if (headers['x-aws-ec2-metadata-token'] !== 'token-of-the-instance') response.writeHead(401).end();
    else if (url === '/latest/meta-data/iam/security-credentials/') response.end('reader');
    else {
      const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = keys;
      const role = { AccessKeyId, SecretAccessKey, Token: 'session-1', Expiration: inAnHour() };
      response.end(JSON.stringify({ Code: 'Success', Type: 'AWS-HMAC', LastUpdated: new Date(), ...role }));
    }
  });
  await isolate({ AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint });
  const blobs = await open();
  await blobs.check();
  await blobs.check();
  expect(asked).toEqual([
    ['PUT', '/latest/api/token'],
    ['GET', '/latest/meta-data/iam/security-credentials/'],
    ['GET', '/latest/meta-data/iam/security-credentials/reader'],
  ]);
  expect(received.at(-1)?.headers['x-amz-security-token']).toBe('session-1');
});

test('the role of a container, whose credentials are renewed before they expire', async () => {
  const { keys, open, received } = await openBucket();
  let renewals = 0;
  const endpoint = await serve(({ url, headers }, response) => {
    if (url !== '/creds' || headers.authorization !== 'Bearer of-the-task') return void response.writeHead(403).end();
    renewals++;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        AccessKeyId: keys.accessKeyId,
        SecretAccessKey: keys.secretAccessKey,
        Token: `session-${renewals}`,
        Expiration: renewals === 1 ? new Date(Date.now() + 60_000).toISOString() : inAnHour(),
      }),
    );
  });
  await isolate({
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint}/creds`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'Bearer of-the-task',
  });
  const blobs = await open();
  for (let checks = 0; checks < 3; checks++) await blobs.check();
  await expect.poll(() => renewals).toBe(2);
  await blobs.check();
  expect(received.at(-1)?.headers['x-amz-security-token']).toBe('session-2');
});

test('a profile of the shared credentials file', async () => {
  const { keys, open } = await openBucket();
  const home = await isolate({ AWS_PROFILE: 'storage', AWS_EC2_METADATA_DISABLED: 'true' });
  const profile = (name: string, secret: string) =>
    `[${name}]\naws_access_key_id = ${keys.accessKeyId}\naws_secret_access_key = ${secret}\n`;
  await writeFile(join(home, 'credentials'), profile('default', 'wrong') + profile('storage', keys.secretAccessKey));
  await expect((await open()).check()).resolves.toBeUndefined();
});

test('a web identity is exchanged for credentials of its role', async () => {
  const { keys, open, received } = await openBucket();
  const asked: string[] = [];
  const endpoint = await serve((request, response) => {
    request.on('data', (bytes: Buffer) => void asked.push(bytes.toString()));
    request.on('end', () => {
      const { accessKeyId, secretAccessKey } = keys;
      response.setHeader('content-type', 'text/xml').end(
        `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>
        <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
        <SessionToken>session-web</SessionToken><Expiration>${inAnHour()}</Expiration>
        </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
      );
    });
  });
  const home = await isolate({
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/storage',
    AWS_ENDPOINT_URL_STS: endpoint,
    AWS_REGION: 'us-east-1',
  });
  await writeFile(join(home, 'token'), 'identity-of-the-pod');
  vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', join(home, 'token'));
  await (await open()).check();
  expect(asked.join('')).toContain('WebIdentityToken=identity-of-the-pod');
  expect(received.at(-1)?.headers['x-amz-security-token']).toBe('session-web');
});

test('without any credentials, operations fail as while the bucket cannot be reached', async () => {
  const { open, received } = await openBucket();
  await isolate({ AWS_EC2_METADATA_DISABLED: 'true' });
  const failure = { name: 'S3BlobsError', code: 'CredentialsUnavailable', outage: { dependency: 's3' } };
  const blobs = await open();
  await expect(blobs.check()).rejects.toMatchObject(failure);
  await expect(blobs.check()).rejects.toThrow('the AWS SDK found no credentials');
  expect(received).toEqual([]);
});

test('a function in the options gives the credentials of each request', async () => {
  const { bucket, keys, received } = await openBucket();
  let calls = 0;
  const credentials = async () => ({ ...keys, sessionToken: `session-${++calls}` });
  const blobs = await openS3Blobs({ ...bucket, credentials });
  onTestFinished(() => blobs.close());
  await blobs.check();
  await blobs.check();
  const tokens = received.map(({ headers }) => headers['x-amz-security-token']);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.length).toBeGreaterThan(1);
});
