import { unknownPath } from '../errors.ts';
import type { HttpRequest } from '../call.ts';
import type { HttpResponse } from '../http/reply.ts';
import { pathOf } from '../http/router.ts';
import type { PageHandler } from '../http/page.ts';
import type { ConsoleFile, ConsoleFiles } from '../options/types.ts';

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
 * The console at `/console`, and a redirect of browsers from `/` to it. All URLs are relative, so that the console works under any path at
 * which a reverse proxy or another app mounts this server.
 */
export function consolePages(files: ConsoleFiles): readonly { readonly path: string; readonly page: PageHandler }[] {
  const index = files.get('index.html');
  return [
    { path: '/console', page: ({ url }) => redirect(`console/${/\?.*/.exec(url)?.[0] ?? ''}`) },
    {
      path: '/console/*',
      page(request) {
        const path = pathOf(request.url).slice('/console/'.length);
        const file = path === 'index.html' ? undefined : files.get(path);
        if (file) {
          const isImmutable = path.startsWith('assets/');
          return createFileResponse(request, file, isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
        }
        // A missing asset must not return a page: browsers would try to run it as a script.
        if (/^(?:assets|api)(?:\/|$)/.test(path) || (path !== '' && !acceptsHtml(request))) throw unknown(request);
        return index
          ? createIndexResponse(request, index, folderDepth(path))
          : createResponse(notInstalledPage, 404, { 'cache-control': 'no-store' });
      },
    },
    {
      path: '/',
      page(request) {
        if (!acceptsHtml(request)) throw unknown(request);
        return redirect(consoleLocation(request));
      },
    },
  ];
}

const unknown = ({ method, url }: HttpRequest) => unknownPath(method, pathOf(url));

/** The number of folders in the path below `/console/`. */
function folderDepth(path: string): number {
  return path.split('/').length - 1;
}

function acceptsHtml({ header }: HttpRequest): boolean {
  return header('accept')?.includes('text/html') === true;
}

/**
 * The URL of the console relative to the page in the browser. From a path without a trailing slash, such as `/ai`, the relative URL
 * `console/` would resolve to `/console/`.
 */
function consoleLocation({ header, url, originalUrl }: HttpRequest): string {
  const prefix = header('x-forwarded-prefix')?.replace(/\/$/, '') ?? '';
  if (/^(?:\/[\w.~%-]+)+$/.test(prefix)) return `${prefix}/console/`;
  const path = pathOf(originalUrl ?? url);
  return path.endsWith('/') ? 'console/' : `./${path.slice(path.lastIndexOf('/') + 1)}/console/`;
}

/** The location is relative: behind a proxy, this server does not know the URL in the browser. */
function redirect(location: string): HttpResponse {
  return { status: 302, headers: { location, 'cache-control': 'no-cache', vary: 'Accept' }, body: '' };
}

/** The page for every path of the console. `<base>` makes its relative URLs resolve against `/console/`. */
function createIndexResponse({ header }: HttpRequest, index: ConsoleFile, depth: number): HttpResponse {
  const base = depth === 0 ? './' : '../'.repeat(depth);
  const text = new TextDecoder().decode(index.body).replace(/<head[^>]*>/i, (head) => `${head}<base href="${base}">`);
  const etag = `"${index.etag}-${depth}"`;
  const headers = { 'cache-control': 'no-cache', etag, vary: 'Accept' };
  if (header('if-none-match') === etag) return createResponse('', 304, headers);
  return createResponse(text, 200, headers);
}

async function createFileResponse(
  { header }: HttpRequest,
  file: ConsoleFile,
  cacheControl: string,
): Promise<HttpResponse> {
  const etag = `"${file.etag}"`;
  const headers = { 'content-type': file.type, 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' };
  if (header('if-none-match') === etag) return createResponse('', 304, headers);
  if (!file.gzip || !/\bgzip\b/.test(header('accept-encoding') ?? '')) return createResponse(file.body, 200, headers);
  return createResponse(await file.gzip(), 200, { ...headers, 'content-encoding': 'gzip' });
}

function createResponse(
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders, ...headers }, body };
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
