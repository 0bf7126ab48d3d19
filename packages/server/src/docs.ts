import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocsAssets } from './options/options.ts';

/**
 * The reference page for `createServer({ docs: docsPage() })`: Swagger UI for `/openapi.json`, without files from other servers. Reads each
 * file when it is first requested. Node only, which is why it is an entry point of its own.
 *
 * @param path Path of the page. Default `/docs`.
 */
export function docsPage(path = '/docs'): DocsAssets {
  const folder = assetsFolder();
  return {
    [path]: { type: 'text/html; charset=utf-8', body: pageHtml(path) },
    [`${path}/start.js`]: { type: 'text/javascript; charset=utf-8', body: startScript },
    [`${path}/swagger-ui-bundle.js`]: asset(join(folder, 'swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'),
    [`${path}/swagger-ui.css`]: asset(join(folder, 'swagger-ui.css'), 'text/css; charset=utf-8'),
  };
}

/** Read on demand: the files occupy 4 MB. */
function asset(path: string, type: string): DocsAssets[string] {
  let text: string | undefined;
  return {
    type,
    get body() {
      return (text ??= readFileSync(path, 'utf8'));
    },
  };
}

/** In published packages the files are next to this one (see `scripts/docs-assets.mjs`); in a checkout they are in a dev dependency. */
function assetsFolder(): string {
  const published = join(dirname(fileURLToPath(import.meta.url)), 'docs-assets');
  if (existsSync(published)) return published;
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

const pageHtml = (path: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Modelwire reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${path}/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="${path}/swagger-ui-bundle.js"></script>
    <script src="${path}/start.js"></script>
  </body>
</html>
`;

// `validatorUrl: null` omits the badge, which would be loaded from another server.
const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
});
`;
