import type { Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import { unknownPath } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { ConsoleFile, ConsoleFiles } from '../option-types.ts';

/** Does not allow content from other hosts, or inline scripts. */
const contentSecurityPolicy = [
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
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  // The server derives the path of the session cookie from the referrer. Other sites do not receive it.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves the console at `/console`, and redirects browsers there from `/`. All URLs are relative, so that the console works under any path at
 * which a reverse proxy or another app mounts this server.
 */
export function serveConsole(app: Hono, files: ConsoleFiles): void {
  const index = files.get('index.html');

  app.get('/console', (context) => redirect(`console/${new URL(context.req.url).search}`));
  app.get('/console/*', async (context) => {
    const path = pathBelowConsole(context);
    const file = path === 'index.html' ? undefined : files.get(path);
    if (file)
      return createFileResponse(
        context,
        file,
        path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    // A missing asset must not return a page: browsers would try to run it as a script.
    if (/^(?:assets|api)(?:\/|$)/.test(path) || (path !== '' && !acceptsHtml(context)))
      throw unknownPath(context.req.method, context.req.path);
    return index
      ? createIndexResponse(context, index, folderDepth(path))
      : createResponse(notInstalledPage, 404, { 'cache-control': 'no-store' });
  });
  // Not `/`: when this app is mounted in another one, Hono matches it without a trailing slash only.
  app.get('/*', (context, next) =>
    isRoot(context) && acceptsHtml(context) ? Promise.resolve(redirect(consoleLocation(context))) : next(),
  );
}

/** Whether the request is for the path at which this app is mounted, with or without a trailing slash. */
function isRoot(context: Context): boolean {
  const prefix = routePath(context).slice(0, -'/*'.length);
  return context.req.path === prefix || context.req.path === `${prefix}/`;
}

/** The path below `/console/`, also if this app is mounted in another one. */
function pathBelowConsole(context: Context): string {
  const prefix = routePath(context).slice(0, -'*'.length);
  return context.req.path.slice(prefix.length);
}

/** The number of folders in the path below `/console/`. */
function folderDepth(path: string): number {
  return path.split('/').length - 1;
}

function acceptsHtml({ req }: Context): boolean {
  return req.header('accept')?.includes('text/html') === true;
}

/**
 * The URL of the console relative to the page in the browser. From a path without a trailing slash, such as `/ai`, the relative URL
 * `console/` would resolve to `/console/`.
 */
function consoleLocation(context: Context): string {
  const prefix = context.req.header('x-forwarded-prefix')?.replace(/\/$/, '') ?? '';
  if (/^(?:\/[\w.~%-]+)+$/.test(prefix)) return `${prefix}/console/`;
  const path = originalPath(context);
  return path.endsWith('/') ? 'console/' : `./${path.slice(path.lastIndexOf('/') + 1)}/console/`;
}

/** The path that the client requested. Connect and Express remove the path at which they mount this server and store the original in `originalUrl`. */
function originalPath({ env, req }: Context): string {
  const bindings: unknown = env;
  if (!isRecord(bindings) || !isRecord(bindings['incoming'])) return req.path;
  const { originalUrl } = bindings['incoming'];
  return typeof originalUrl === 'string' ? (originalUrl.split('?')[0] ?? '/') : req.path;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The location is relative: behind a proxy, this server does not know the URL in the browser. */
function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-cache', vary: 'Accept' } });
}

/** The page for every path of the console. `<base>` makes its relative URLs resolve against `/console/`. */
function createIndexResponse(context: Context, index: ConsoleFile, depth: number): Response {
  const base = depth === 0 ? './' : '../'.repeat(depth);
  const text = new TextDecoder().decode(index.body).replace(/<head[^>]*>/i, (head) => `${head}<base href="${base}">`);
  const etag = `"${index.etag}-${depth}"`;
  const headers = { 'cache-control': 'no-cache', etag, vary: 'Accept' };
  if (context.req.header('if-none-match') === etag) return createResponse(null, 304, headers);
  return createResponse(text, 200, headers);
}

async function createFileResponse(context: Context, file: ConsoleFile, cacheControl: string): Promise<Response> {
  const etag = `"${file.etag}"`;
  const headers = { 'content-type': file.type, 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' };
  if (context.req.header('if-none-match') === etag) return createResponse(null, 304, headers);
  if (!file.gzip || !/\bgzip\b/.test(context.req.header('accept-encoding') ?? ''))
    return createResponse(file.body, 200, headers);
  return createResponse(await file.gzip(), 200, { ...headers, 'content-encoding': 'gzip' });
}

function createResponse(
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

const notInstalledPage = `<!doctype html>
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
