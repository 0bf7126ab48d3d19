import { expect, test } from 'vitest';
import { ProtobufWriter } from './protobuf-writer.ts';

test('clear releases a buffer that has become large', () => {
  const writer = new ProtobufWriter();
  const before = writer.capacity;
  writer.string('a'.repeat(4_000_000));
  expect(writer.capacity).toBeGreaterThan(4_000_000);
  writer.clear();
  expect(writer.capacity).toBe(before);
  writer.byte(7);
  expect([...writer.bytesFrom(0)]).toEqual([7]);
});
