import { expect, test } from 'vitest';
import { signatureHeaders } from './sign.ts';

const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('a message is signed as in the example of the Standard Webhooks specification', () => {
  expect(signatureHeaders(message, [secret])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('each secret has a signature', () => {
  const headers = signatureHeaders(message, ['whsec_b3RoZXI=', secret]);
  expect(headers['webhook-signature'].split(' ')).toEqual([expect.stringMatching(/^v1,[\w+/]{43}=$/), signature]);
});
