import type {
  FileObject,
  Model,
  Moderation,
  ModerationCreateParams,
  VideoList,
  VideoListParams,
} from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { StreamedReply } from '../streaming/event-pipe.ts';
import type { FormReader } from './forms/form-reader.ts';
import type { Handlers } from './implement.ts';
import type { BytesReply, CachedReply, JsonReply, Reply } from './reply.ts';

declare const handlers: Handlers;
/** A handler that takes a body and a query. */
declare function handler<Body, Query, Replied extends Reply>(reply: Replied): (call: Call<Body, Query>) => Replied;
/** A handler that makes an object of a form. */
declare function formHandler<Body>(): (call: Call<FormReader<object>>) => ReturnType<typeof call.body.receive<Body>>;

declare const model: JsonReply<Model>;
declare const partOfModel: JsonReply<Pick<Model, 'id' | 'object'>>;
declare const moderation: JsonReply<Moderation>;
declare const videos: JsonReply<VideoList>;
declare const streamed: StreamedReply;
declare const bytes: BytesReply;
declare const cached: CachedReply;

const { 'models.list': listModels, ...others } = handlers;
({ ...others, 'models.list': listModels }) satisfies Handlers;
// @ts-expect-error a handler is missing
others satisfies Handlers;
// @ts-expect-error no endpoint has this ID
({ ...handlers, 'models.create': listModels }) satisfies Handlers;

type Some = Partial<Handlers>;
({ 'moderations.create': handler<ModerationCreateParams, unknown, typeof moderation>(moderation) }) satisfies Some;
// @ts-expect-error the body is another
({ 'moderations.create': handler<VideoListParams, unknown, typeof moderation>(moderation) }) satisfies Some;
// @ts-expect-error there is no body
({ 'models.retrieve': handler<ModerationCreateParams, unknown, typeof model>(model) }) satisfies Some;

({ 'videos.list': handler<undefined, VideoListParams, typeof videos>(videos) }) satisfies Some;
// @ts-expect-error the query is another
({ 'videos.list': handler<undefined, { readonly kind: string }, typeof videos>(videos) }) satisfies Some;

({ 'models.retrieve': () => model }) satisfies Some;
// @ts-expect-error the reply is another object
({ 'models.retrieve': () => moderation }) satisfies Some;
// @ts-expect-error the reply lacks fields
({ 'models.retrieve': () => partOfModel }) satisfies Some;
// @ts-expect-error the reply is JSON
({ 'models.retrieve': () => bytes }) satisfies Some;
// @ts-expect-error the reply has no events
({ 'models.retrieve': () => streamed }) satisfies Some;
// @ts-expect-error the pipeline looks for stored replies
({ 'models.retrieve': () => cached }) satisfies Some;

({ 'chat.completions.create': () => streamed }) satisfies Some;
({ 'videos.content': () => bytes }) satisfies Some;
// @ts-expect-error the reply is bytes
({ 'videos.content': () => model }) satisfies Some;

({ 'files.create': formHandler<FileObject>() }) satisfies Some;
// @ts-expect-error what is made of the form is another object
({ 'files.create': formHandler<Model>() }) satisfies Some;
