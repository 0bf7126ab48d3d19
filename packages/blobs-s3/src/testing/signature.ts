import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Whether the request is signed with the secret and its bytes match the signature, by the specification of signature version 4,
 * from the bytes on the wire. s3rver does not check.
 */
export function isSigned(request: IncomingMessage, body: Uint8Array, secret: string): boolean {
  const { authorization = '' } = request.headers;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, day = '', region = '', names = '', signature] = pattern.exec(authorization) ?? [];
  const header = (name: string) => String(request.headers[name] ?? '').trim();
  const required = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (required.some((name) => !names.split(';').includes(name))) return false;
  if (header('x-amz-content-sha256') !== sha256(body)) return false;

  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
  const query = Array.from(searchParams, ([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const headers = names.split(';').map((name) => `${name}:${header(name)}\n`);
  const canonical = [request.method, pathname, query.join('&'), headers.join(''), names, sha256(body)].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`));
  return hmac(key, toSign).toString('hex') === signature;
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
