/** Longer runs of the characters of base64 are images and other contents, which have far fewer tokens than bytes. */
const maxTextRun = 1023;

/** The bytes that are not in long runs of base64. */
export function textBytesOf(chunk: Uint8Array): number {
  let bytes = 0;
  let run = 0;
  for (const byte of chunk) {
    if (isBase64[byte] === 1) {
      run += 1;
      continue;
    }
    if (run <= maxTextRun) bytes += run;
    bytes += 1;
    run = 0;
  }
  return run <= maxTextRun ? bytes + run : bytes;
}

const isBase64 = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w+/=-]/.test(String.fromCharCode(byte)) ? 1 : 0));
