/** Signatures of the first bytes. */
const SIGNATURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['audio/wav', /^RIFF[^]{4}WAVE/],
  // Starts with ID3 tags or with a frame.
  ['audio/mpeg', /^(?:ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa\xfb])/],
  ['application/pdf', /^%PDF-/],
];

/** Detects the media type from the first bytes, for types that messages can have. */
export function detectMediaType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}
