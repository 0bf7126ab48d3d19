import { createHash } from 'node:crypto';
import type { RequestError } from '../errors.ts';
import type { HttpResponse } from '../http/reply.ts';
import type { SignInUrls } from './sign-in-urls.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 36rem; margin: 15vh auto 0; padding: 0 1rem }
h1 { font-size: 1.5rem }
p { overflow-wrap: anywhere }
nav { display: flex; flex-wrap: wrap; gap: 1.5rem; margin-top: 2rem }
small { opacity: 0.7 }`;

const styleHash = createHash('sha256').update(style).digest('base64');
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page that says why a person was not signed in, and what to do. */
export function signInErrorPage({ start, console }: SignInUrls) {
  const again = new URL('?again=true', start);
  return ({ status, message, headers: ofError }: RequestError, headers: Record<string, string>): HttpResponse => ({
    status,
    headers: {
      ...headers,
      ...ofError,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Not signed in – Modelwire</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>You are not signed in</h1>
      <p>${escapeHtml(message)}</p>
      <nav>
        <a href="${escapeHtml(again.href)}">Sign in again, or with another account</a>
        <a href="${escapeHtml(console.href)}">Sign in with an API key</a>
      </nav>
      <p><small>Request ID: ${escapeHtml(headers['x-request-id'] ?? '')}</small></p>
    </main>
  </body>
</html>
`,
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
