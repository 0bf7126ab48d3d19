/** Redacts secrets in text that arrives in pieces. Text that could be the beginning of a secret is buffered. */
export interface Redactor {
  push(text: string): string;
  /** Returns the buffered text. */
  end(): string;
}

/** Replaces each secret in a complete text. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}

/** `secrets` can grow while the redactor is used. */
export function createRedactor(secrets: readonly string[]): Redactor {
  let buffer = '';
  return {
    push(text) {
      const redacted = redact(buffer + text, secrets);
      const end = redacted.length - Math.max(0, ...secrets.map((secret) => prefixLengthAtEnd(redacted, secret)));
      buffer = redacted.slice(end);
      return redacted.slice(0, end);
    },
    end() {
      const rest = buffer;
      buffer = '';
      return rest;
    },
  };
}

/** How many characters at the end of a text could be the beginning of a secret. */
function prefixLengthAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
