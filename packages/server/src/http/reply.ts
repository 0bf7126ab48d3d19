import type { KeptAnswer } from '@modelwire/ports';
import type { BytePipe } from '../streaming/byte-pipe.ts';
import type { EventPipe } from '../streaming/event-pipe.ts';

/** What a handler answers: JSON, events (a text when all are there already), bytes, or what was answered before. */
export type Reply =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly kept: KeptAnswer; readonly replayed: boolean }
  | { readonly status: number; readonly events: string | EventPipe }
  | { readonly status: number; readonly bytes: BytePipe; readonly headers: Readonly<Record<string, string>> };
