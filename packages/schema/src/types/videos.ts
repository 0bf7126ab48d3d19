import type { Open } from './open.ts';
import type { List } from './paging.ts';
import type { VideoContentParams, VideoCreateFields, VideoInputReference } from './requests.ts';

export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

export interface Video {
  id: string;
  object: 'video';
  model: string;
  status: Open<VideoStatus>;
  /** Per cent. */
  progress: number;
  /** Unix seconds. */
  created_at: number;
  completed_at?: number | null;
  expires_at?: number | null;
  /** <width>x<height>. */
  size: Open<VideoSize>;
  seconds: Open<VideoSeconds>;
  prompt?: string | null;
  remixed_from_video_id?: string | null;
  error?: { code: string; message: string } | null;
}

/** What a client sends for Create video. */
export interface VideoCreateParams extends Omit<VideoCreateFields, 'input_reference'> {
  readonly input_reference?: Blob | VideoInputReference;
}

export type VideoList = List<Video>;

export interface VideoDeleted {
  id: string;
  object: 'video.deleted';
  deleted: boolean;
}

export type VideoSeconds = NonNullable<VideoCreateFields['seconds']>;
export type VideoSize = NonNullable<VideoCreateFields['size']>;
export type VideoVariant = NonNullable<VideoContentParams['variant']>;
