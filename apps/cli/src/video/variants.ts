import type { VideoVariant } from '@modelwire/schema/types';

export const VARIANTS = ['video', 'thumbnail', 'spritesheet'] as const satisfies VideoVariant[];

const SUFFIXES = { video: '.mp4', thumbnail: '-thumbnail.webp', spritesheet: '-spritesheet.jpg' } as const;

export function fileNameOf(id: string, variant: VideoVariant): string {
  return id + SUFFIXES[variant];
}
