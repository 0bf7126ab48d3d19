import type { Video } from '@modelwire/schema/types';
import { quoteAll, unsupportedValue } from '../../errors.ts';
import { requireModel } from '../../generation/require-model.ts';
import type { ServerContext } from '../../context.ts';
import type { ResolvedModel } from '../../models/model-registry.ts';
import type { VideoEngine, VideoModel } from '@modelwire/ports';

/** The requested model, or the first one. @throws a 404 that names it. */
export function resolveVideoModel(
  id: string | undefined,
  server: ServerContext,
): ResolvedModel<VideoEngine, VideoModel> {
  return requireModel('video', id ?? server.models.video.all()[0]?.id ?? '', server);
}

type Shape = Pick<Video, 'size' | 'seconds'>;

/** @throws a 400 that names what the model does not support. */
export function assertSupportedShape(model: VideoModel, shape: Shape): Shape {
  for (const [param, value, known] of [
    ['size', shape.size, model.sizes],
    ['seconds', shape.seconds, model.seconds],
  ] as const) {
    if (known.includes(value)) continue;
    throw unsupportedValue(
      param,
      `Unsupported value: '${param}' is '${value}'; the model '${model.id}' supports ${quoteAll(known)}.`,
    );
  }
  return shape;
}
