/** The headers of an MP4 file with one picture track. */
export function mp4Of({
  width,
  height,
  seconds,
}: {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}) {
  const box = (type: string, ...content: Buffer[]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + Buffer.concat(content).length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, ...content]);
  };
  const times = Buffer.alloc(100);
  times.writeUInt32BE(1000, 12);
  times.writeUInt32BE(seconds * 1000, 16);
  const track = Buffer.alloc(84);
  track.writeUInt32BE(width << 16, 76);
  track.writeUInt32BE(height << 16, 80);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box('moov', box('mvhd', times), box('trak', box('tkhd', track))),
  ]);
}
