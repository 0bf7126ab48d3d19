import type { ReceivedResponse, SentRequest } from '../report.ts';
import type { CompleteResponse } from './response.ts';

const MAX_DISPLAYED = 1500;

/** Removes secrets from displayed text and truncates it. */
export type Redact = (text: string) => string;

/** Minimum length of a secret: removing shorter ones would remove parts of words. */
const MIN_SECRET_LENGTH = 4;

export function createRedact(secrets: readonly string[]): Redact {
  const redactable = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const secret of redactable) redacted = redacted.replaceAll(secret, '[redacted]');
    return redacted;
  };
}

/** Maximum length of displayed text, without characters that terminals and XML cannot display. */
export function excerpt(text: string, max = MAX_DISPLAYED): string {
  const printable = text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd');
  return printable.length <= max
    ? printable
    : `${printable.slice(0, max).toWellFormed()} … (${printable.length} characters)`;
}

export function describeResponse({ status, headers, text, bytes }: CompleteResponse, redact: Redact): ReceivedResponse {
  const displayed = text === '' && bytes.length > 0 ? `(${bytes.length} bytes)` : text;
  const header = (name: string): string | null => {
    const value = headers.get(name);
    return value === null ? null : excerpt(redact(value), 200);
  };
  return {
    status,
    contentType: header('content-type'),
    requestId: header('x-request-id'),
    // Removes secrets first: truncation could leave a part of one.
    body: excerpt(redact(displayed)),
  };
}

export function describeRequest(sent: SentRequest, redact: Redact): SentRequest {
  return {
    ...sent,
    path: excerpt(redact(sent.path), 500),
    headers: Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name, redact(value)])),
    ...(sent.body !== undefined && { body: excerpt(redact(sent.body)) }),
  };
}
