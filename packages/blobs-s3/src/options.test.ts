import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { resolveOptions } from './options.ts';
import type { S3BlobsOptions } from './options.ts';

const valid: S3BlobsOptions = { bucket: 'things', accessKeyId: 'id', secretAccessKey: 'secret' };

test('the bucket is part of the host name on AWS and of the path elsewhere, unless configured otherwise', () => {
  const url = (options: Partial<S3BlobsOptions>) => resolveOptions({ ...valid, ...options }).bucketUrl;
  expect(url({})).toBe('https://things.s3.us-east-1.amazonaws.com/');
  expect(url({ region: 'eu-west-1' })).toBe('https://things.s3.eu-west-1.amazonaws.com/');
  expect(url({ forcePathStyle: true })).toBe('https://s3.us-east-1.amazonaws.com/things/');
  expect(url({ endpoint: 'http://127.0.0.1:9000' })).toBe('http://127.0.0.1:9000/things/');
  expect(url({ endpoint: 'https://store.test/below/' })).toBe('https://store.test/below/things/');
  expect(url({ endpoint: 'https://store.test', forcePathStyle: false })).toBe('https://things.store.test/');
});

test('an invalid option is named without its value', () => {
  const wrong: Partial<Record<keyof S3BlobsOptions, unknown[]>> = {
    endpoint: ['nowhere-7', 'ftp://nowhere-7', 'https://nowhere-7:secret@host', 'https://host/?nowhere-7'],
    region: ['', 'nowhere-7/'],
    bucket: ['', 'a', 'nowhere-7/b', '../nowhere-7', undefined],
    accessKeyId: ['', 'nowhere-7\n', undefined],
    secretAccessKey: ['', 'nowhere-7 x', undefined],
    sessionToken: ['', 'nowhere-7\r\n'],
    prefix: ['/nowhere-7', 'a//nowhere-7', '../nowhere-7', 'a/../nowhere-7', 'nowhere-7?', '.nowhere-7'],
    partBytes: [0, 5 * 1024 * 1024 - 1, 1.5, Number.NaN],
    partsInFlight: [0, -1, 0.5],
    attempts: [0],
    timeoutMs: [0, Infinity],
    abandonedAfterMs: [-1],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      let failure: unknown;
      try {
        resolveOptions({ ...valid, [name]: value });
      } catch (error) {
        failure = error;
      }
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).toContain(name);
      expect(inspect(failure)).not.toContain('nowhere-7');
    }
  }
});

test('says why a bucket is invalid', () => {
  expect(() => resolveOptions({ ...valid, bucket: 'a_b' })).toThrow(
    'bucket is invalid: it must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens, which begins and ends with a letter or digit',
  );
});

test('accepts prefixes of one or more folders', () => {
  for (const prefix of ['', 'modelwire/', 'a/b.c/d-', 'a_'])
    expect(resolveOptions({ ...valid, prefix }).prefix).toBe(prefix);
});
