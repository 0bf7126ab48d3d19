import { notFound, invalidState } from '../../errors.ts';
import { sendContent } from '../../http/content/send-content.ts';
import { videoOf } from './stored.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /videos/{video_id}/content: a variant, or the requested range of it. */
export const readVideoContent: Handlers['videos.content'] = async (call, server) => {
  const { variant = 'video' } = call.query;
  const { video, contents } = await videoOf(call, server);
  if (video.status !== 'completed') throw invalidState(`The video is '${video.status}', not completed.`);
  const content = contents[variant];
  if (!content) throw notFound(`${variant} of a video`, video.id, 'variant');
  const filename = `${video.id}${variant === 'video' ? '' : `-${variant}`}.${fileExtensions[content.mediaType] ?? 'bin'}`;
  return sendContent(call, server, { ...content, filename, etag: `"${video.id}-${variant}"` });
};

const fileExtensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};
