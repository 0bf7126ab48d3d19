/** First bytes by type. A dot stands for any byte. */
const SIGNATURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['audio/wav', /^RIFF[^]{4}WAVE/],
  // With tags before the sound, or a frame at once.
  ['audio/mpeg', /^(?:ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa\xfb])/],
  ['application/pdf', /^%PDF-/],
];

/** The media type that the first bytes tell, of the kinds that messages carry. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}
