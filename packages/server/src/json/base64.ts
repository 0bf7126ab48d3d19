export function fromBase64(data: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(data, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
