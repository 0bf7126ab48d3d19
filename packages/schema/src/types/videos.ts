import type { Open } from './open.ts';
import type { List, OrderedListParams } from './paging.ts';

export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed';
export type VideoSeconds = '4' | '8' | '12';
export type VideoSize = '720x1280' | '1280x720' | '1024x1792' | '1792x1024';
export type VideoVariant = 'video' | 'thumbnail' | 'spritesheet';

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

/** Exactly one of the two. */
export interface VideoInputReference {
  readonly file_id?: string;
  readonly image_url?: string;
}

/** Fields of Create video; in a multipart form `input_reference` may be a file. */
export interface VideoCreateFields {
  readonly prompt: string;
  readonly model?: string;
  readonly seconds?: VideoSeconds;
  readonly size?: VideoSize;
  readonly input_reference?: VideoInputReference;
}

/** What a client sends for Create video. */
export interface VideoCreateParams extends Omit<VideoCreateFields, 'input_reference'> {
  readonly input_reference?: Blob | VideoInputReference;
}

/** Body of Remix video: what is not given is the source's. */
export interface VideoRemixParams {
  readonly prompt: string;
  readonly model?: string;
  readonly seconds?: VideoSeconds;
  readonly size?: VideoSize;
}

export type VideoListParams = OrderedListParams;
export type VideoList = List<Video>;

export interface VideoContentParams {
  /** `video` unless said. */
  readonly variant?: VideoVariant;
}

export interface VideoDeleted {
  id: string;
  object: 'video.deleted';
  deleted: boolean;
}
