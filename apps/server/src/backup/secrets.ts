import { keyFile } from './key-file.ts';

/** The secrets in plain text that a backup or an export contains. Keys of the API are stored as hashes, and those of upstreams not at all. */
export function secretsOf({ hasKey, webhooks }: { readonly hasKey: boolean; readonly webhooks: number }): string[] {
  return [
    ...(hasKey ? [`the key of the first start (${keyFile})`] : []),
    ...(webhooks > 0
      ? [`the signing secrets of ${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'} (records)`]
      : []),
  ];
}

/** The line of a summary. */
export function secretsNote(secrets: readonly string[]): string {
  return secrets.length === 0
    ? 'It contains no secrets in plain text, but prompts and the hashes of keys.\n'
    : `It contains secrets in plain text: ${secrets.join(', ')}. Protect it like a password.\n`;
}
