import type { FormBody, StreamedForm } from '@modelwire/schema';
import type { Call } from '../../call.ts';
import { unsupportedContentType } from '../../errors.ts';
import type { CachedReply, JsonReply } from '../reply.ts';
import type { FormState } from '../request-state.ts';
import { replayOrRun } from '../idempotency.ts';
import { assertUnencoded } from '../read-body.ts';
import { isForm, receiveForm } from './receive-form.ts';

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

export function createFormReader<Fields>(state: FormState, form: FormBody<StreamedForm<Fields>>): FormReader<Fields> {
  return {
    isRepeatable: state.idempotencyKey !== null,
    async receive<Body>(create: (form: StreamedForm<Fields> & Pick<Call, 'files'>) => Promise<JsonReply<Body>>) {
      const { header } = state.request;
      assertUnencoded(header('content-encoding'));
      if (!isForm(header('content-type'))) throw unsupportedContentType('multipart/form-data');
      const received = await receiveForm(state, form);
      state.form = received;
      state.mayHaveCreated = state.idempotencyKey === null;
      const { body, files, identity } = received;
      let created: JsonReply<Body> | undefined;
      const reply = await replayOrRun(state, identity, async () => (created = await create({ ...body, files })));
      if ('cached' in reply) return reply;
      if (!created) throw new Error('the reply is neither that of the request nor a stored one');
      return created;
    },
  };
}
