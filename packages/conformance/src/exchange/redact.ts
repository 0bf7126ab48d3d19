import type { ReceivedResponse, SentRequest } from '../report.ts';
import type { Answer } from './answer.ts';

const SHOWN_MAX = 1500;

/** Removes secrets from displayed text and truncates it. */
export type Redact = (text: string) => string;

/** Minimum length of a secret: removing shorter ones would remove parts of words. */
const SECRET_MIN = 4;

export function redactor(secrets: readonly string[]): Redact {
  const worthy = secrets.filter((secret) => secret.length >= SECRET_MIN).toSorted((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of worthy) clean = clean.replaceAll(secret, '[redacted]');
    return clean;
  };
}

/** Maximum length of displayed text, without characters that terminals and XML cannot display. */
export function excerpt(text: string, max = SHOWN_MAX): string {
  const plain = text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd');
  return plain.length <= max ? plain : `${plain.slice(0, max).toWellFormed()} … (${plain.length} characters)`;
}

export function describeResponse({ status, headers, text, bytes }: Answer, redact: Redact): ReceivedResponse {
  const shown = text === '' && bytes.length > 0 ? `(${bytes.length} bytes)` : text;
  const header = (name: string): string | null => {
    const value = headers.get(name);
    return value === null ? null : excerpt(redact(value), 200);
  };
  return {
    status,
    contentType: header('content-type'),
    requestId: header('x-request-id'),
    // Removes secrets first: truncation could leave a part of one.
    body: excerpt(redact(shown)),
  };
}

export function describeRequest(sent: SentRequest, redact: Redact): SentRequest {
  return {
    ...sent,
    path: excerpt(redact(sent.path), 500),
    ...(sent.body !== undefined && { body: excerpt(redact(sent.body)) }),
  };
}
