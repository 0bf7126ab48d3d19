import { expect, test } from 'vitest';
import { namesOf } from './http/contestants.ts';
import { requestOf, startServers } from './http/section.ts';
import { verify } from './servers/verify.ts';

test('every server of the comparison answers what was asked, whole and in a hundred chunks', async () => {
  const servers = await startServers();
  try {
    for (const mode of ['create', 'stream'] as const)
      for (const name of namesOf(mode))
        expect(await verify(requestOf(servers, name, mode).request, mode)).toBeGreaterThan(700);
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
});
