import type * as NodeLlamaCpp from 'node-llama-cpp';

/** Data types of the cached keys and values. All but `f16` and `bf16` are quantized, and need flash attention. */
export const cacheTypes = ['f16', 'bf16', 'q8_0', 'q5_1', 'q5_0', 'q4_1', 'q4_0'] as const;

export type LlamaCacheType = (typeof cacheTypes)[number];

const names = {
  f16: 'F16',
  bf16: 'BF16',
  q8_0: 'Q8_0',
  q5_1: 'Q5_1',
  q5_0: 'Q5_0',
  q4_1: 'Q4_1',
  q4_0: 'Q4_0',
} as const satisfies Record<LlamaCacheType, keyof typeof NodeLlamaCpp.GgmlType>;

export function ggmlType(
  { GgmlType }: Pick<typeof NodeLlamaCpp, 'GgmlType'>,
  type: LlamaCacheType,
): NodeLlamaCpp.GgmlType {
  return GgmlType[names[type]];
}
