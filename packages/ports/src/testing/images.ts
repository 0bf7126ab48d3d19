/** Headers of images of a given size: enough to detect the type, without image data. */
export const imageHeads = {
  'image/png': (width: number, height: number) =>
    bytes('89504e470d0a1a0a0000000d49484452', uint(width, 4), uint(height, 4), '0806000000'),
  'image/gif': (width: number, height: number) => bytes('474946383961', turned(width, 2), turned(height, 2), '000000'),
  'image/webp': (width: number, height: number) =>
    bytes('5249464600000000574542505650385800000000', '00000000', turned(width - 1, 3), turned(height - 1, 3)),
  'image/jpeg': (width: number, height: number) =>
    bytes('ffd8ffe000104a46494600010100000100010000ffc0001108', uint(height, 2), uint(width, 2), '03011100'),
} as const;

export function dataUrl(mediaType: string, content: Uint8Array): string {
  return `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`;
}

const uint = (value: number, size: number): string => value.toString(16).padStart(size * 2, '0');
const turned = (value: number, size: number): string => Buffer.from(uint(value, size), 'hex').reverse().toString('hex');
const bytes = (...hex: readonly string[]): Uint8Array => new Uint8Array(Buffer.from(hex.join(''), 'hex'));
