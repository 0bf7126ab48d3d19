import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new signing secret: 256 random bits. */
export function makeSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** What is signed: the ID of the event, the time of the attempt in Unix seconds, and the body. */
interface SignedMessage {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of a delivery by the Standard Webhooks specification, with one signature for each secret. */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
