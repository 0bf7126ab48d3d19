import { joined } from './encoder.ts';

/** Packets of a page at most: one second of speech. Of its 255 segments each packet takes one for each 255 bytes begun. */
const mostPackets = 50;
const mostSegments = 255;

/** A packet, and how many samples (at 48,000 a second) have been said when it is over. */
export interface OggPacket {
  readonly bytes: Uint8Array;
  readonly position: number;
}

/** Puts packets of one stream into Ogg pages (RFC 3533). */
export interface OggWriter {
  page(packets: readonly OggPacket[], mark?: 'first' | 'last'): Uint8Array;
}

export function oggWriter(serial: number): OggWriter {
  let sequence = 0;
  return {
    page(packets, mark) {
      const sizes = packets.flatMap(({ bytes }) => lacing(bytes.length));
      const head = new Uint8Array(27 + sizes.length);
      const view = new DataView(head.buffer);
      head.set(new TextEncoder().encode('OggS'));
      head[5] = mark === 'first' ? 2 : mark === 'last' ? 4 : 0;
      view.setBigUint64(6, BigInt(packets.at(-1)?.position ?? 0), true);
      view.setUint32(14, serial, true);
      view.setUint32(18, sequence++, true);
      head[26] = sizes.length;
      head.set(sizes, 27);
      const page = joined([head, ...packets.map(({ bytes }) => bytes)]);
      new DataView(page.buffer).setUint32(22, checksum(page), true);
      return page;
    },
  };
}

/** As many packets from the front as one page takes. */
export function pageful(packets: readonly OggPacket[]): number {
  let segments = 0;
  let count = 0;
  for (const { bytes } of packets) {
    segments += lacing(bytes.length).length;
    if (segments > mostSegments || count === mostPackets) break;
    count++;
  }
  return count;
}

/** The length of a packet as a sum of bytes, the last of them below 255. */
function lacing(length: number): number[] {
  return [...Array<number>(Math.floor(length / 255)).fill(255), length % 255];
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum >>> 0;
});

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = ((sum << 8) ^ (table[(sum >>> 24) ^ byte] ?? 0)) >>> 0;
  return sum;
}
