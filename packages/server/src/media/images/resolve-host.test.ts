import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { nameserver, silentNameserver } from '../../testing/nameserver.ts';
import { resolveHost } from './resolve-host.ts';

// Other files of this process have loaded the real module, and must not get the mocked one.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
vi.mock('node:dns/promises', { spy: true });

const signal = new AbortController().signal;
const loopback = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);

test('returns the IPv4 and IPv6 addresses of a name', async () => {
  const both = await nameserver({ ipv4: '93.184.215.14', ipv6: loopback });
  const options = { signal, isTrusted: false, nameservers: [both.nameserver] };
  expect(await resolveHost('images.example', options)).toEqual([
    { address: '93.184.215.14', family: 4 },
    { address: '::1', family: 6 },
  ]);
});

test('returns the addresses of one family where there are none of the other', async () => {
  const one = await nameserver({ ipv6: loopback });
  const options = { signal, isTrusted: false, nameservers: [one.nameserver] };
  expect(await resolveHost('images.example', options)).toEqual([{ address: '::1', family: 6 }]);
});

test('rejects for a name that does not exist', async () => {
  const empty = await nameserver({});
  const options = { signal, isTrusted: false, nameservers: [empty.nameserver] };
  await expect(resolveHost('images.example', options)).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('names that never resolve occupy no thread of the pool, and end with the signal', async () => {
  vi.mocked(lookup).mockClear();
  const silent = await silentNameserver();
  const leaving = new AbortController();
  const options = { signal: leaving.signal, isTrusted: false, nameservers: [silent.nameserver] };
  const pending = Array.from({ length: 16 }, (_, index) => resolveHost(`n${index}.example`, options));
  await expect.poll(silent.queries).toBeGreaterThanOrEqual(16);
  // Files are read by the threads that `lookup` would occupy.
  await readFile(new URL(import.meta.url));
  expect(lookup).not.toHaveBeenCalled();
  leaving.abort(new Error('left'));
  const results = await Promise.allSettled(pending);
  expect(new Set(results.map((result) => result.status === 'rejected' && String(result.reason)))).toEqual(
    new Set(['Error: left']),
  );
});

test('looks a trusted name up as the operating system does', async () => {
  vi.mocked(lookup).mockResolvedValueOnce([{ address: '10.0.0.1', family: 4 }] as never);
  expect(await resolveHost('minio', { signal, isTrusted: true })).toEqual([{ address: '10.0.0.1', family: 4 }]);
});

test.each(['localhost', 'a.localhost', 'LOCALHOST.'])(
  '%s is this machine, and no DNS server is asked',
  async (name) => {
    const silent = await silentNameserver();
    const options = { signal, isTrusted: false, nameservers: [silent.nameserver] };
    expect(await resolveHost(name, options)).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(silent.queries()).toBe(0);
  },
);
