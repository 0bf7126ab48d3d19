/** A WAV file of silence: mono, 16 bits. */
export function silentWav(seconds: number, sampleRate = 8000): Buffer {
  const bytes = Math.round(seconds * sampleRate) * 2;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes)]);
}

/** Silent frames of MPEG 2 layer III: 64 kbit/s, 24,000 Hz, mono, 24 ms and 192 bytes each. */
export function silentMp3(frames: number): Buffer {
  const frame = Buffer.alloc(192);
  frame.writeUInt32BE(0xfff384c0);
  return Buffer.concat(Array<Buffer>(frames).fill(frame));
}
