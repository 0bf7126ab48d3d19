import type { FormBody, StreamedForm } from '@modelwire/schema';
import type { Call } from '../../call.ts';
import { unsupportedContentType } from '../../errors.ts';
import type { CachedReply, JsonReply } from '../reply.ts';
import { replayOrRun } from '../run-idempotent.ts';
import type { RepeatableRequest } from '../run-idempotent.ts';
import { assertUnencoded, isForm, receiveForm } from './receive-form.ts';
import type { FormRequest, ReceivedForm } from './receive-form.ts';

/** A form that has not been received yet. */
export interface FormReader<Fields> {
  /** Whether there may be a stored reply, which takes precedence over a check of what the request changes. */
  readonly isRepeatable: boolean;
  /**
   * Receives the form, and creates what it describes. If that fails, its files are released. With an `Idempotency-Key`, the reply is that
   * of the first request with the same content.
   */
  receive<Body>(
    create: (form: StreamedForm<Fields> & Pick<Call, 'files'>) => Promise<JsonReply<Body>>,
  ): Promise<JsonReply<Body> | CachedReply>;
}

/** The request with the form, and what the pipeline is told about it. */
export interface FormCall extends FormRequest, Pick<Call, 'principal'> {
  readonly request: FormRequest['request'] & RepeatableRequest['request'];
  /** Released if the request fails. */
  form: Pick<ReceivedForm<unknown>, 'discard'> | undefined;
  mayHaveCreated: boolean;
}

export function createFormReader<Fields>(call: FormCall, form: FormBody<StreamedForm<Fields>>): FormReader<Fields> {
  return {
    isRepeatable: call.idempotencyKey !== null,
    async receive<Body>(create: (form: StreamedForm<Fields> & Pick<Call, 'files'>) => Promise<JsonReply<Body>>) {
      const { header } = call.request;
      assertUnencoded(header('content-encoding'));
      if (!isForm(header('content-type'))) throw unsupportedContentType('multipart/form-data');
      const received = await receiveForm(call, form);
      call.form = received;
      call.mayHaveCreated = call.idempotencyKey === null;
      const { body, files, identity } = received;
      let created: JsonReply<Body> | undefined;
      const reply = await replayOrRun(call, identity, async () => (created = await create({ ...body, files })));
      if ('cached' in reply) return reply;
      if (!created) throw new Error('the reply is neither that of the request nor a stored one');
      return created;
    },
  };
}
