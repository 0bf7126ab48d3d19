import type { FileObject } from '@modelwire/schema/types';
import type { Fields } from './printer.ts';
import type { Column } from './table.ts';
import { bytesText, timeText } from './units.ts';

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
