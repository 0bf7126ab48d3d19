/** Names of headers whose value is a secret, however short. */
const secretName = /auth|cookie|credential|key|pass|secret|session|signature|token/;
/** Names of headers that many servers have with the same value. */
const publicNames: ReadonlySet<string> = new Set(['anthropic-version']);
/** Minimum length of secrets in other headers: shorter values may be ordinary words in errors. */
const minSecretLength = 8;

/**
 * The secrets in configured headers, longest first: their values, and the parts of credentials, since a server may echo a key without `Bearer`.
 * `headers` is the flat list of names and values, names in lower case.
 */
export function extractSecrets(headers: readonly string[]): readonly string[] {
  const secrets = new Set<string>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (publicNames.has(name)) continue;
    if (secretName.test(name)) for (const part of credentialParts(value)) secrets.add(part);
    else if (value.length >= minSecretLength) secrets.add(value);
  }
  return [...secrets].filter((secret) => secret.trim() !== '').sort((a, b) => b.length - a.length);
}

/** The parts of `Bearer <key>`, `Basic <user:password>` and `name=value; name=value`, without the scheme. */
function credentialParts(value: string): readonly string[] {
  const [, scheme = '', rest = value] = /^(\w+)\s+(\S.*)$/.exec(value) ?? [];
  const pieces = rest.split(/[\s,;]+/).flatMap((piece) => [piece, piece.slice(piece.indexOf('=') + 1)]);
  const longPieces = pieces.filter((piece) => piece.length >= minSecretLength);
  if (scheme.toLowerCase() !== 'basic') return [rest, ...longPieces];
  const userAndPassword = Buffer.from(rest, 'base64').toString();
  return [rest, userAndPassword, userAndPassword.slice(userAndPassword.indexOf(':') + 1)];
}

/** Replaces the configured secrets and texts that look like keys, such as those of the upstream itself. */
export function redact(text: string, secrets: readonly string[]): string {
  const withoutSecrets = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return keyPatterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), withoutSecrets);
}

/**
 * Whether the value of a header contains a configured secret: as it is, in other letter case, or encoded for URLs or in base64. A short secret may
 * be an ordinary word, so it has to be a word of the value.
 */
export function containsSecret(value: string, secrets: readonly string[]): boolean {
  const texts = [value, decodePercent(value)].map((text) => text.toLowerCase());
  return secrets.some((secret) => {
    const plain = secret.toLowerCase();
    if (secret.length < minSecretLength) return texts.some((text) => text.split(/[\s,;="']+/).includes(plain));
    const forms = [plain, ...base64Cores(secret).map((core) => core.toLowerCase())];
    return forms.some((form) => texts.some((text) => text.includes(form)));
  });
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The part of the base64 of a secret that is the same whatever surrounds it, for each of its three alignments. */
function base64Cores(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((padding) => {
    const encoded = Buffer.from(`${'\0'.repeat(padding)}${secret}`).toString('base64');
    const core = encoded.replace(/=+$/, '').slice(padding === 0 ? 0 : padding + 1, -1);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const keyPatterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Keys of providers by their prefix, also partly masked ("sk-ab***yz").
  [/\b(?:sk|pk|rk|mw|xai|nvapi)-[\w*.-]{8,}|\b(?:gsk|hf|r8|ghp)_[\w*]{8,}|\bAIza[\w*-]{8,}/g, '[redacted]'],
  [/\b(Bearer|Basic) +[\w.~+/=*-]{8,}/gi, '$1 [redacted]'],
  // User names and passwords in URLs, and keys in their queries.
  [/(:\/\/)[^\s/@]{1,200}@/g, '$1[redacted]@'],
  [/([?&](?:key|api[-_]?key|token|access[-_]?token)=)[^\s&#"']{1,400}/gi, '$1[redacted]'],
];
