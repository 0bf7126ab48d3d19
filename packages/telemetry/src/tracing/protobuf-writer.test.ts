import { expect, test } from 'vitest';
import { ProtobufWriter } from './protobuf-writer.ts';

test('a buffer that has become large is released', () => {
  const writer = new ProtobufWriter();
  const before = writer.capacity;
  writer.string('a'.repeat(4_000_000));
  expect(writer.capacity).toBeGreaterThan(4_000_000);
  writer.clear();
  expect(writer.capacity).toBe(before);
  writer.byte(7);
  expect([...writer.bytesFrom(0)]).toEqual([7]);
});
