import { hash } from 'node:crypto';
import type { DatasetSplit } from '@modelwire/schema/types';

/** 64 bits of SHA-256: among a million lines, two have the same by chance once in 37 million datasets. */
export function hash64(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigUInt64BE(0);
}

/** Whether a completion is in the test part: the same one in each dataset with this seed. */
export function isInTestPart(id: string, { test, seed = 0 }: DatasetSplit): boolean {
  return Number(hash64(`${seed} ${id}`) >> 11n) / 2 ** 53 < test;
}
