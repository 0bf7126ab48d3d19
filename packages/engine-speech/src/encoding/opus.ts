import { randomInt } from 'node:crypto';
import { createEncoder } from 'libopus-wasm';
import type { SampleRate } from 'libopus-wasm';
import { joined } from './encoder.ts';
import type { Encoder, EncoderInit } from './encoder.ts';
import { oggWriter, pageful } from './ogg.ts';
import type { OggPacket } from './ogg.ts';

/** Whatever the rate of the samples, Ogg counts Opus at this one (RFC 7845). */
const clock = 48_000;
/** Packets of 20 ms. */
const packetsPerSecond = 50;

/** Opus in Ogg (RFC 7845), mono. */
export async function opusEncoder({ sampleRate, bitrate }: EncoderInit): Promise<Encoder> {
  const frameSize = sampleRate / packetsPerSecond;
  const encoder = await createEncoder({ sampleRate: rateOf(sampleRate), channels: 1, frameSize, bitrate });
  const ratio = clock / sampleRate;
  const preSkip = encoder.getLookahead() * ratio;
  const ogg = oggWriter(randomInt(2 ** 31));
  let packets: OggPacket[] = [];
  let waiting = new Int16Array(0);
  let samples = 0;
  let position = 0;
  let opened = false;

  function encode(block: Int16Array): void {
    position += frameSize * ratio;
    packets.push({ bytes: encoder.encode(block).slice(), position });
  }
  function take(more: Int16Array): void {
    const all = new Int16Array(waiting.length + more.length);
    all.set(waiting);
    all.set(more, waiting.length);
    let at = 0;
    for (; all.length - at >= frameSize; at += frameSize) encode(all.subarray(at, at + frameSize));
    waiting = all.slice(at);
  }
  function open(): Uint8Array[] {
    if (opened) return [];
    opened = true;
    const pages = [opusHead(preSkip, sampleRate), opusTags()];
    return pages.map((bytes, index) => ogg.page([{ bytes, position: 0 }], index === 0 ? 'first' : undefined));
  }
  /** Whole pages; the last packet waits, since the last page says that it is. */
  function pages(): Uint8Array[] {
    const written: Uint8Array[] = [];
    while (packets.length > 1) {
      const count = Math.min(pageful(packets), packets.length - 1);
      written.push(ogg.page(packets.slice(0, count)));
      packets = packets.slice(count);
    }
    return written;
  }
  return {
    add(more) {
      samples += more.length;
      take(more);
      return joined([...open(), ...pages()]);
    },
    end() {
      // The encoder is late by what it looks ahead: so much silence brings the last of it out.
      take(new Int16Array(preSkip / ratio));
      if (waiting.length > 0 || packets.length === 0) take(new Int16Array(frameSize - waiting.length));
      encoder.free();
      const before = [...open(), ...pages()];
      const last = packets.map(({ bytes }) => ({ bytes, position: preSkip + samples * ratio }));
      return joined([...before, ogg.page(last, 'last')]);
    },
  };
}

function rateOf(rate: number): SampleRate {
  if (rate === 8000 || rate === 12_000 || rate === 16_000 || rate === 24_000 || rate === 48_000) return rate;
  throw new TypeError(`Opus has no rate of ${rate}`);
}

function opusHead(preSkip: number, sampleRate: number): Uint8Array {
  const head = new Uint8Array(19);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('OpusHead'));
  view.setUint8(8, 1);
  view.setUint8(9, 1);
  view.setUint16(10, preSkip, true);
  view.setUint32(12, sampleRate, true);
  return head;
}

function opusTags(): Uint8Array {
  const vendor = new TextEncoder().encode('Modelwire');
  const tags = new Uint8Array(8 + 4 + vendor.length + 4);
  tags.set(new TextEncoder().encode('OpusTags'));
  new DataView(tags.buffer).setUint32(8, vendor.length, true);
  tags.set(vendor, 12);
  return tags;
}
