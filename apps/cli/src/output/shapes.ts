import type { Batch, FileObject, StoredChatCompletion, Video } from '@modelwire/schema/types';
import { oneLine } from './controls.ts';
import type { Fields } from './printer.ts';
import type { Column } from './table.ts';
import { bytesText, timeText } from './units.ts';

// What a person is told of each thing: a row of a table, and the fields of one.

export const fileColumns: readonly Column<FileObject>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'name', shrinks: true, cell: ({ filename }) => filename },
  { head: 'size', right: true, cell: ({ bytes }) => bytesText(bytes) },
  { head: 'purpose', cell: ({ purpose }) => purpose },
  { head: 'created', cell: ({ created_at }) => timeText(created_at) },
];

export function fileFields(file: FileObject): Fields {
  return [
    ['id', file.id],
    ['name', file.filename],
    ['size', `${bytesText(file.bytes)} (${file.bytes} bytes)`],
    ['purpose', file.purpose],
    ['created', timeText(file.created_at)],
    ['expires', timeText(file.expires_at)],
  ];
}

export const completionColumns: readonly Column<StoredChatCompletion>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'model', cell: ({ model }) => model },
  { head: 'created', cell: ({ created }) => timeText(created) },
  { head: 'metadata', cell: ({ metadata }) => pairsText(metadata) },
  { head: 'answer', shrinks: true, cell: (completion) => oneLine(answerText(completion)) },
];

export function completionFields(completion: StoredChatCompletion): Fields {
  const { usage, choices } = completion;
  return [
    ['id', completion.id],
    ['model', completion.model],
    ['created', timeText(completion.created)],
    ['metadata', pairsText(completion.metadata)],
    ['tokens', usage && `${usage.prompt_tokens} in, ${usage.completion_tokens} out`],
    ['ended', choices[0]?.finish_reason],
    ['answer', answerText(completion)],
  ];
}

/** The first choice as text: what it says, what it refuses, or what it calls. */
export function answerText({ choices }: Pick<StoredChatCompletion, 'choices'>): string {
  const { content, refusal, tool_calls } = choices[0]?.message ?? {};
  const calls = (tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? `→ ${call.function.name} ${call.function.arguments}`
      : `→ ${call.custom.name} ${call.custom.input}`,
  );
  return [content, refusal, ...calls].filter(Boolean).join('\n');
}

export const batchColumns: readonly Column<Batch>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'status', cell: ({ status }) => status },
  { head: 'done', right: true, cell: ({ request_counts: counts }) => counts && counts.completed + counts.failed },
  { head: 'of', right: true, cell: ({ request_counts: counts }) => counts?.total },
  { head: 'failed', right: true, cell: ({ request_counts: counts }) => counts?.failed },
  { head: 'endpoint', cell: ({ endpoint }) => endpoint },
  { head: 'created', cell: ({ created_at }) => timeText(created_at) },
];

export function batchFields(batch: Batch): Fields {
  const { request_counts: counts, errors, usage } = batch;
  return [
    ['id', batch.id],
    ['status', batch.status],
    ['endpoint', batch.endpoint],
    ['requests', counts && `${counts.completed} of ${counts.total} answered, ${counts.failed} failed`],
    ['tokens', usage && `${usage.input_tokens} in, ${usage.output_tokens} out`],
    ['input', batch.input_file_id],
    ['output', batch.output_file_id],
    ['errors', batch.error_file_id],
    ['created', timeText(batch.created_at)],
    ['expires', timeText(batch.expires_at)],
    ['metadata', pairsText(batch.metadata)],
    ['why', errors?.data?.map(({ line, message }) => `${line ? `line ${line}: ` : ''}${message ?? ''}`).join('\n')],
  ];
}

export const videoColumns: readonly Column<Video>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'status', cell: ({ status }) => status },
  { head: 'done', right: true, cell: ({ progress }) => `${progress}%` },
  { head: 'model', cell: ({ model }) => model },
  { head: 'seconds', right: true, cell: ({ seconds }) => seconds },
  { head: 'size', cell: ({ size }) => size },
  { head: 'created', cell: ({ created_at }) => timeText(created_at) },
  { head: 'prompt', shrinks: true, cell: ({ prompt }) => oneLine(prompt ?? '') },
];

export function videoFields(video: Video): Fields {
  return [
    ['id', video.id],
    ['status', `${video.status}, ${video.progress}%`],
    ['model', video.model],
    ['length', `${video.seconds} s`],
    ['size', video.size],
    ['prompt', video.prompt],
    ['remix of', video.remixed_from_video_id],
    ['created', timeText(video.created_at)],
    ['completed', timeText(video.completed_at)],
    ['expires', timeText(video.expires_at)],
    ['why', video.error?.message],
  ];
}

export function pairsText(metadata: Readonly<Record<string, string>> | null | undefined): string {
  return Object.entries(metadata ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
