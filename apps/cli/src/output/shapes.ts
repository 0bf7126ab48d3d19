import type { Batch, Budget, FileObject, StoredChatCompletion, Video } from '@modelwire/client';
import type { Fields } from './printer.ts';
import { statusColor } from './status-color.ts';
import type { Column } from './table.ts';
import { bytesText, timeText } from './units.ts';

// Output of each resource: the columns of its table, and the fields of its record.

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
  { head: 'reply', shrinks: true, cell: replyText },
];

export function completionFields(completion: StoredChatCompletion): Fields {
  const { usage, choices } = completion;
  return [
    ['id', completion.id],
    ['model', completion.model],
    ['created', timeText(completion.created)],
    ['metadata', pairsText(completion.metadata)],
    ['tokens', usage && `${usage.prompt_tokens} input, ${usage.completion_tokens} output`],
    ['finish reason', choices[0]?.finish_reason],
    ['reply', replyText(completion)],
  ];
}

/** Text of the first choice: content, refusal and tool calls. */
function replyText({ choices }: Pick<StoredChatCompletion, 'choices'>): string {
  const { content, refusal, tool_calls } = choices[0]?.message ?? {};
  const calls = (tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? `→ ${call.function.name} ${call.function.arguments}`
      : `→ ${call.custom.name} ${call.custom.input}`,
  );
  return [content, refusal, ...calls].filter(Boolean).join('\n');
}

/** The status of a batch, with what it waits for: `in_progress (budget)`. */
function statusOf({ status, waiting_for: waiting }: Batch): string {
  return waiting ? `${status} (${waiting.reason})` : status;
}

export const batchColumns: readonly Column<Batch>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'status', cell: statusOf, color: statusColor },
  { head: 'done', right: true, cell: ({ request_counts: counts }) => counts && counts.completed + counts.failed },
  { head: 'total', right: true, cell: ({ request_counts: counts }) => counts?.total },
  { head: 'failed', right: true, cell: ({ request_counts: counts }) => counts?.failed },
  { head: 'endpoint', cell: ({ endpoint }) => endpoint },
  { head: 'created', cell: ({ created_at }) => timeText(created_at) },
];

export function batchFields(batch: Batch): Fields {
  const { request_counts: counts, errors, usage } = batch;
  return [
    ['id', batch.id],
    ['status', batch.status],
    ['waiting for', batch.waiting_for?.message],
    ['waiting until', timeText(batch.waiting_for?.until)],
    ['expected end', timeText(batch.late?.expected_at)],
    ['endpoint', batch.endpoint],
    ['requests', counts && `${counts.completed} of ${counts.total} completed, ${counts.failed} failed`],
    ['tokens', usage && `${usage.input_tokens} input, ${usage.output_tokens} output`],
    ['input file', batch.input_file_id],
    ['output file', batch.output_file_id],
    ['error file', batch.error_file_id],
    ['created', timeText(batch.created_at)],
    ['expires', timeText(batch.expires_at)],
    ['metadata', pairsText(batch.metadata)],
    ['errors', errors?.data?.map(({ line, message }) => `${line ? `line ${line}: ` : ''}${message ?? ''}`).join('\n')],
  ];
}

export const videoColumns: readonly Column<Video>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'status', cell: ({ status }) => status, color: statusColor },
  { head: 'progress', right: true, cell: ({ progress }) => `${progress}%` },
  { head: 'model', cell: ({ model }) => model },
  { head: 'seconds', right: true, cell: ({ seconds }) => seconds },
  { head: 'size', cell: ({ size }) => size },
  { head: 'created', cell: ({ created_at }) => timeText(created_at) },
  { head: 'prompt', shrinks: true, cell: ({ prompt }) => prompt },
];

export function videoFields(video: Video): Fields {
  return [
    ['id', video.id],
    ['status', `${video.status}, ${video.progress}%`],
    ['model', video.model],
    ['duration', `${video.seconds} s`],
    ['size', video.size],
    ['prompt', video.prompt],
    ['made from', video.remixed_from_video_id],
    ['created', timeText(video.created_at)],
    ['completed', timeText(video.completed_at)],
    ['expires', timeText(video.expires_at)],
    ['error', video.error?.message],
  ];
}

export const budgetColumns: readonly Column<Budget>[] = [
  { head: 'id', cell: (budget) => budget.id },
  { head: 'of', shrinks: true, cell: (budget) => budget.project_id ?? budget.api_key_id },
  { head: 'period', cell: ({ period }) => period },
  { head: 'unit', cell: ({ unit }) => unit },
  { head: 'spent', right: true, cell: ({ spent }) => spent },
  { head: 'soft limit', right: true, cell: (budget) => budget.soft_limit },
  { head: 'hard limit', right: true, cell: (budget) => budget.override_limit ?? budget.hard_limit },
  { head: 'resets', cell: (budget) => timeText(budget.resets_at) },
];

export function pairsText(metadata: Readonly<Record<string, string>> | null | undefined): string {
  return Object.entries(metadata ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
