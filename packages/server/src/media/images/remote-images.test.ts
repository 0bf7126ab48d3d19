import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { imageHeads } from '@modelwire/ports/testing';
import { silentNameserver } from '../../testing/nameserver.ts';
import { serveHttp } from '../../testing/serve-http.ts';
import { VideoError, VideoRetry } from '@modelwire/ports';
import { remoteVideos } from '../remote-videos.ts';
import { remoteImages } from './remote-images.ts';
import type { RemoteImagesOptions } from './remote-images.ts';
import { resolveHost } from './resolve-host.ts';

// Other files of this process have loaded the real module, and must not get the mocked one.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
vi.mock('./resolve-host.ts', { spy: true });

const png = imageHeads['image/png'](2, 2);

const ask = (maxBytes = 1000) => ({ signal: new AbortController().signal, maxBytes });

test('an image is fetched, without credentials or cookies', async () => {
  let headers: object = {};
  const host = await serveHttp((request, response) => {
    headers = request.headers;
    response.end(png);
  });
  const fetchImage = remoteImages({ trustedHosts: [host] });
  expect(Buffer.from(await fetchImage(`http://${host}/a.png`, ask())).equals(png)).toBe(true);
  expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
});

test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://127.1/',
  'http://0/',
  'http://10.0.0.1/',
])('does not connect to %s', async (url) => {
  await expect(remoteImages({ minFailureMs: 0 })(url, ask())).rejects.toThrow('its host is not on the public internet');
});

test('does not connect to ports other than 80 and 443 of a host that is not trusted', async () => {
  const host = await serveHttp((_, response) => response.end(png));
  await expect(remoteImages()(`http://${host}/`, ask())).rejects.toThrow(
    /has the port \d+; only the ports 80 and 443 are allowed$/,
  );
});

test.each([
  ['ftp://example.com/a.png', 'the URL must begin with http:// or https://'],
  ['file:///etc/passwd', 'the URL must begin with http:// or https://'],
  ['http://user:secret@example.com/', 'the URL must not contain a user name or a password'],
])('%s is refused', async (url, why) => {
  await expect(remoteImages()(url, ask())).rejects.toThrow(why);
});

test('a redirect is checked like the first URL', async () => {
  const inside = await serveHttp((_, response) => response.end(png));
  const host = await serveHttp((request, response) => {
    const location = request.url === '/in' ? `http://${inside}/` : 'http://169.254.169.254/latest';
    response.writeHead(302, { location }).end();
  });
  const fetchImage = remoteImages({ trustedHosts: [host], minFailureMs: 0 });
  await expect(fetchImage(`http://${host}/in`, ask())).rejects.toThrow(
    /has the port \d+; only the ports 80 and 443 are allowed$/,
  );
  await expect(fetchImage(`http://${host}/out`, ask())).rejects.toThrow('its host is not on the public internet');
});

test('follows at most three redirects, to allowed servers', async () => {
  const host = await serveHttp((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end(png);
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const fetchImage = remoteImages({ trustedHosts: [host] });
  expect((await fetchImage(`http://${host}/3`, ask())).byteLength).toBe(png.byteLength);
  await expect(fetchImage(`http://${host}/4`, ask())).rejects.toThrow('it is redirected more than 3 times');
});

/** A server that must not be reached, with the number of its connections. */
async function secret(): Promise<{ port: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => response.end(png));
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: String((server.address() as AddressInfo).port), connections: () => connections };
}

test.each([
  ['an address', (port: string) => `http://127.0.0.1:${port}/`],
  ['a name of this machine', (port: string) => `http://localhost:${port}/`],
  ['IPv4 within IPv6', (port: string) => `http://[::ffff:127.0.0.1]:${port}/`],
  ['a name without a scheme', (port: string) => `//127.0.0.1:${port}/`],
  ['a number', () => 'http://2130706433/'],
  ['the metadata of a cloud machine', () => 'http://169.254.169.254/latest/meta-data/'],
  ['a name with an inner address', () => 'http://inside.example/'],
  ['a file', () => 'file:///etc/passwd'],
])('redirects of allowed servers do not lead to %s', async (_what, target) => {
  vi.mocked(resolveHost).mockClear();
  const inside = await secret();
  const asked: string[] = [];
  const third = await serveHttp((request, response) => {
    asked.push(`third ${request.url}`);
    // Each name is resolved when it is its turn: by now this one has turned inward.
    if (target(inside.port).includes('inside.example')) resolveTo(found('127.0.0.1'));
    response.writeHead(303, { location: target(inside.port) }).end();
  });
  const second = await serveHttp((request, response) => {
    asked.push(`second ${request.url}`);
    response.writeHead(307, { location: `//${third}/c` }).end();
  });
  const first = await serveHttp((request, response) => {
    asked.push(`first ${request.url}`);
    response.writeHead(308, { location: `http://${second}/b` }).end();
  });
  const fetchImage = remoteImages({ trustedHosts: [first, second, third], minFailureMs: 0 });
  await expect(fetchImage(`http://${first}/a`, ask())).rejects.toThrow(
    /not on the public internet|only |must begin with /,
  );
  expect(asked).toEqual(['first /a', 'second /b', 'third /c']);
  expect(inside.connections()).toBe(0);
});

test('stops reading an image that is too large', async () => {
  let ended = false;
  const host = await serveHttp((_, response) => {
    const more = setInterval(() => response.write(Buffer.alloc(1000)), 5);
    response.on('close', () => {
      clearInterval(more);
      ended = true;
    });
  });
  await expect(remoteImages({ trustedHosts: [host] })(`http://${host}/`, ask(5000))).rejects.toThrow(
    'it is larger than 5000 bytes',
  );
  await expect.poll(() => ended).toBe(true);
});

test('reports the status of a response, and a body that takes too long', async () => {
  const host = await serveHttp((request, response) => {
    if (request.url === '/no') response.writeHead(403).end();
    else response.writeHead(200).write('GIF');
  });
  const fetchImage = remoteImages({ trustedHosts: [host], timeoutMs: 2000, minFailureMs: 0 });
  await expect(fetchImage(`http://${host}/no`, ask())).rejects.toThrow('its server responded with status 403');
  await expect(fetchImage(`http://${host}/never`, ask())).rejects.toThrow('it took longer than 2000 ms');
});

const unreachable = 'its host is not on the public internet, or could not be reached in time';

/** Ways in which fetching from a host fails. Each prepares the failure, and resolves with a URL for it. */
const failures: Readonly<
  Record<string, () => Promise<Pick<RemoteImagesOptions, 'trustedHosts' | 'nameservers'> & { readonly url: string }>>
> = {
  'has a private address': () => {
    resolveTo(found('10.0.0.1'));
    return Promise.resolve({ url: 'http://intranet.example/' });
  },
  'is not found': () => {
    vi.mocked(resolveHost).mockRejectedValueOnce(
      Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }),
    );
    return Promise.resolve({ url: 'http://intranet.example/' });
  },
  'has a name that is not resolved in time': async () => {
    const { nameserver } = await silentNameserver();
    return { url: 'http://intranet.example/', nameservers: [nameserver] };
  },
  'refuses the connection': () => Promise.resolve({ url: 'http://127.0.0.1:1/', trustedHosts: ['127.0.0.1:1'] }),
  'does not respond': async () => {
    const host = await serveHttp(() => undefined);
    return { url: `http://${host}/`, trustedHosts: [host] };
  },
  'is redirected to a private address': async () => {
    const host = await serveHttp((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    return { url: `http://${host}/`, trustedHosts: [host] };
  },
};

test.each(Object.keys(failures))('a host that %s causes the same error as any unreachable host', async (name) => {
  const { url, ...options } = (await failures[name]?.()) ?? { url: '' };
  const fetching = remoteImages({ ...options, timeoutMs: 300, minFailureMs: 0 })(url, ask());
  await expect(fetching).rejects.toThrow(new Error(unreachable));
});

test.each(['has a private address', 'is not found'])(
  'the error for a host that %s takes at least 500 ms',
  async (name) => {
    const { url } = (await failures[name]?.()) ?? { url: '' };
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let isSettled = false;
    const fetching = remoteImages()(url, ask()).finally(() => (isSettled = true));
    const refused = expect(fetching).rejects.toThrow(unreachable);
    await vi.advanceTimersByTimeAsync(499);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
  },
);

const found = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const resolveTo = (addresses: LookupAddress[]): void => {
  vi.mocked(resolveHost).mockResolvedValueOnce(addresses);
};

test.each([[['127.0.0.1']], [['93.184.215.14', '10.0.0.1']], [['2606:2800:21f::1', 'fe80::1']], [[]]])(
  'does not connect to a name that resolves to %j',
  async (addresses) => {
    resolveTo(found(...addresses));
    await expect(remoteImages({ minFailureMs: 0 })('http://images.example/', ask())).rejects.toThrow(
      'its host is not on the public internet',
    );
  },
);

test('a name is resolved once: the connection goes to the address that was checked, even if the name resolves differently by then', async () => {
  const host = await serveHttp((_, response) => response.end(png));
  const name = `nowhere.invalid:${new URL(`http://${host}`).port}`;
  vi.mocked(resolveHost).mockClear();
  resolveTo(found('127.0.0.1'));
  expect((await remoteImages({ trustedHosts: [name] })(`http://${name}/`, ask())).byteLength).toBe(png.byteLength);
  expect(resolveHost).toHaveBeenCalledTimes(1);
});

test('connects only to the first address of a name that resolves differently each time', async () => {
  const servers = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, connections: 0, server: createServer() }));
  const [outside, inside] = servers;
  const listen = (server: (typeof servers)[number], port: number) =>
    new Promise<void>((resolve, reject) => {
      server.server.on('connection', () => server.connections++);
      server.server.on('request', (_, response) => response.end(png));
      server.server.on('error', reject).listen(port, server.address, resolve);
      onTestFinished(() => void server.server.close());
    });
  await listen(outside!, 0);
  const { port } = outside!.server.address() as AddressInfo;
  await listen(inside!, port);
  resolveTo(found('127.0.0.1'));
  vi.mocked(resolveHost).mockResolvedValue(found('127.0.0.2'));
  onTestFinished(() => {
    vi.mocked(resolveHost).mockReset();
  });
  const name = `rebinding.example:${port}`;
  await remoteImages({ trustedHosts: [name] })(`http://${name}/`, ask());
  expect(servers.map(({ connections }) => connections)).toEqual([1, 0]);
  await remoteImages({ trustedHosts: [name] })(`http://${name}/`, ask());
  expect(servers.map(({ connections }) => connections)).toEqual([1, 1]);
});

test('refuses a server that switches protocols', async () => {
  const odd = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void odd.close());
  const at = `127.0.0.1:${(odd.address() as AddressInfo).port}`;
  await expect(remoteImages({ trustedHosts: [at], minFailureMs: 0 })(`http://${at}/`, ask())).rejects.toThrow(
    unreachable,
  );
});

test('a client that disconnects aborts the request', async () => {
  const host = await serveHttp(() => undefined);
  const caller = new AbortController();
  const fetching = remoteImages({ trustedHosts: [host] })(`http://${host}/`, { signal: caller.signal, maxBytes: 10 });
  caller.abort(new Error('left'));
  await expect(fetching).rejects.toThrow();
});

test('a video is downloaded from trusted hosts alone, and again later if its host is not reached', async () => {
  const host = await serveHttp((request, response) => {
    if (request.url === '/private.mp4') response.writeHead(403).end();
    else response.writeHead(200, { 'content-type': 'video/mp4' }).end('a boat');
  });
  const download = remoteVideos({ trustedHosts: [host, '127.0.0.1:1'], minFailureMs: 0 });
  const { signal } = new AbortController();
  const video = await download(`http://${host}/boat.mp4`, { signal });
  expect(video.mediaType).toBe('video/mp4');
  expect(Buffer.concat(await Array.fromAsync(video.bytes)).toString()).toBe('a boat');
  const failure = (url: string) => download(url, { signal }).catch((error: unknown) => error);
  for (const url of [`http://${host}/private.mp4`, 'http://10.0.0.1/boat.mp4', 'http://localhost:9000/boat.mp4']) {
    const error = await failure(url);
    expect(error).toBeInstanceOf(VideoError);
    expect(error).not.toBeInstanceOf(VideoRetry);
    expect(error).toMatchObject({ code: 'video_not_downloaded' });
  }
  expect(await failure('http://127.0.0.1:1/boat.mp4')).toBeInstanceOf(VideoRetry);
});
