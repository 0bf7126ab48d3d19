import type { Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import { unknownPath } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { ConsoleFile, ConsoleFiles } from '../option-types.ts';

/** The console loads nothing from other hosts, and runs no inline scripts. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  // The server derives the path of the cookie from it. It is not sent to other sites.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves the console at `/console`, and redirects browsers there from `/`. Every address is relative, so that it works under any path at which
 * a reverse proxy or another app mounts this server.
 */
export function serveConsole(app: Hono, files: ConsoleFiles): void {
  const index = files.get('index.html');

  app.get('/console', (context) => redirect(`console/${new URL(context.req.url).search}`));
  app.get('/console/*', async (context) => {
    const path = pathBelow(context);
    const file = path === 'index.html' ? undefined : files.get(path);
    if (file)
      return sendFile(context, file, path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    // A missing asset must not look like a page: browsers would try to run it.
    if (/^(?:assets|api)(?:\/|$)/.test(path) || (path !== '' && !acceptsHtml(context)))
      throw unknownPath(context.req.method, context.req.path);
    return index ? sendIndex(context, index, depthOf(path)) : send(notInstalled, 404, { 'cache-control': 'no-store' });
  });
  // Not `/`: below the path of another app, Hono matches it without a trailing slash only.
  app.get('/*', (context, next) =>
    isRoot(context) && acceptsHtml(context) ? Promise.resolve(redirect(consoleFrom(context))) : next(),
  );
}

/** Whether the request is for the path at which this app is mounted, with or without a trailing slash. */
function isRoot(context: Context): boolean {
  const prefix = routePath(context).slice(0, -'/*'.length);
  return context.req.path === prefix || context.req.path === `${prefix}/`;
}

/** The path below `/console/`, also where this app is mounted in another one under a path. */
function pathBelow(context: Context): string {
  const prefix = routePath(context).slice(0, -'*'.length);
  return context.req.path.slice(prefix.length);
}

/** The number of folders in the path below `/console/`. */
function depthOf(path: string): number {
  return path.split('/').length - 1;
}

function acceptsHtml({ req }: Context): boolean {
  return req.header('accept')?.includes('text/html') === true;
}

/**
 * The console, as seen from the address of this server in the browser. Under a path without a trailing slash, such as `/ai`, a relative
 * `console/` would lead out of it.
 */
function consoleFrom(context: Context): string {
  const prefix = context.req.header('x-forwarded-prefix')?.replace(/\/$/, '') ?? '';
  if (/^(?:\/[\w.~%-]+)+$/.test(prefix)) return `${prefix}/console/`;
  const path = originalPath(context);
  return path.endsWith('/') ? 'console/' : `./${path.slice(path.lastIndexOf('/') + 1)}/console/`;
}

/** The path before an app removed the path at which it mounts this server: Connect and Express keep it in `originalUrl`. */
function originalPath({ env, req }: Context): string {
  const bindings: unknown = env;
  if (!isRecord(bindings) || !isRecord(bindings['incoming'])) return req.path;
  const { originalUrl } = bindings['incoming'];
  return typeof originalUrl === 'string' ? (originalUrl.split('?')[0] ?? '/') : req.path;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Relative to the address in the browser, which this server does not know behind a proxy. */
function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-cache', vary: 'Accept' } });
}

/** The page for every path of the console. Its assets are resolved against `<base>`. */
function sendIndex(context: Context, index: ConsoleFile, depth: number): Response {
  const base = depth === 0 ? './' : '../'.repeat(depth);
  const text = new TextDecoder().decode(index.body).replace(/<head[^>]*>/i, (head) => `${head}<base href="${base}">`);
  const etag = `"${index.etag}-${depth}"`;
  const headers = { 'cache-control': 'no-cache', etag, vary: 'Accept' };
  if (context.req.header('if-none-match') === etag) return send(null, 304, headers);
  return send(text, 200, headers);
}

async function sendFile(context: Context, file: ConsoleFile, cacheControl: string): Promise<Response> {
  const etag = `"${file.etag}"`;
  const headers = { 'content-type': file.type, 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' };
  if (context.req.header('if-none-match') === etag) return send(null, 304, headers);
  if (!file.gzip || !/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) return send(file.body, 200, headers);
  return send(await file.gzip(), 200, { ...headers, 'content-encoding': 'gzip' });
}

function send(
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...pageHeaders,
      'x-request-id': randomId('req_'),
      ...headers,
    },
  });
}

const notInstalled = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Modelwire</title>
  </head>
  <body>
    <h1>The console is not installed</h1>
    <p>This server runs, but the package <code>@modelwire/console</code> is missing or was not built.
    Install it beside the server with <code>npm install @modelwire/console</code>, or in a checkout run
    <code>npm run build</code>, and restart the server. <code>console: false</code> in the configuration turns the console off.</p>
  </body>
</html>
`;
