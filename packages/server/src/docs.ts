import { readFileSync } from 'node:fs';
import type { DocsAssets } from './options/options.ts';

/**
 * The reference page for `createServer({ docs: docsPage() })`: Scalar for `/openapi.json`, without files from other servers. Node only, which is
 * why it is an entry point of its own.
 *
 * @param path Path of the page. Default `/docs`.
 */
export function docsPage(path = '/docs'): DocsAssets {
  let scalar: string | undefined;
  return {
    [path]: { type: 'text/html; charset=utf-8', body: pageHtml(path) },
    [`${path}/start.js`]: { type: 'text/javascript; charset=utf-8', body: startScript },
    [`${path}/scalar.js`]: {
      type: 'text/javascript; charset=utf-8',
      /** Read on demand: the file occupies 5 MB. */
      get body() {
        return (scalar ??= readFileSync(new URL('../built/scalar.js', import.meta.url), 'utf8'));
      },
    },
  };
}

const pageHtml = (path: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Modelwire reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <script src="${path}/scalar.js"></script>
    <script src="${path}/start.js"></script>
  </body>
</html>
`;

// What would load from other servers or link to services of Scalar is off: fonts, telemetry, the agent, MCP, its own client and toolbar.
const startScript = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
`;
