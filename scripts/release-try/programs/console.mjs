// Checks the console of a running server: the page, its hashed assets and its content security policy, and a session by an API key.
// node console.mjs <address of the server> <API key>
const [, , url, key] = process.argv;

function check(isFine, what) {
  if (!isFine) throw new Error(`The console: ${what}`);
}

const page = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
check(page.url === `${url}/console/` && page.status === 200, `/ leads to ${page.url} with the status ${page.status}`);
const policy = page.headers.get('content-security-policy') ?? '';
check(policy.includes("script-src 'self'") && !policy.includes('unsafe'), `its policy is '${policy}'`);
const html = await page.text();
const assets = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path);
check(assets.length > 2, `it has ${assets.length} assets`);
for (const path of assets) {
  check(/-[\w-]{8}\.(?:js|css|svg|woff2)$/.test(path), `${path} has no hash`);
  const asset = await fetch(new URL(path, page.url));
  const cache = asset.headers.get('cache-control') ?? '';
  check(asset.status === 200 && cache.includes('immutable'), `${path}: status ${asset.status}, ${cache}`);
}
const sessionUrl = `${url}/console/api/session`;
const signIn = await fetch(sessionUrl, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ key }),
});
const cookie = signIn.headers.get('set-cookie') ?? '';
check(signIn.status === 200 && /HttpOnly; SameSite=Strict/.test(cookie), `signing in has the status ${signIn.status}`);
const session = await (await fetch(sessionUrl, { headers: { cookie: cookie.split(';')[0] } })).json();
check(session.csrf_token !== '', 'the session has no CSRF token');
console.log(`${assets.length} assets, signed in to version ${session.version}`);
