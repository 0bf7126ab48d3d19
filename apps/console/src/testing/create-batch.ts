import type { Batch, BatchEndpoint, Modelwire } from '@modelwire/client';

/** Creates a batch from the lines of its input file. */
export async function createBatch(
  api: Modelwire,
  lines: readonly string[],
  name?: string,
  endpoint: BatchEndpoint = '/v1/chat/completions',
): Promise<Batch> {
  const file = await api.files.create({ file: new File([...lines], 'input.jsonl'), purpose: 'batch' });
  return api.batches.create({
    input_file_id: file.id,
    endpoint,
    completion_window: '24h',
    ...(name !== undefined && { metadata: { name } }),
  });
}
