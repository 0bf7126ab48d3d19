import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const fontLicense = new URL('node_modules/@fontsource/inter/LICENSE', import.meta.url);

export default defineConfig({
  plugins: [
    {
      // Text that is laid out before its type face has loaded would move.
      name: 'font-preload',
      transformIndexHtml: {
        order: 'post',
        handler: (_html, { bundle = {} }) =>
          Object.keys(bundle)
            .filter((fileName) => fileName.endsWith('.woff2'))
            .map((fileName) => ({
              tag: 'link',
              injectTo: 'head',
              attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${fileName}` },
            })),
      },
    },
    {
      // `build.license` has those of scripts only.
      name: 'font-license',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'inter-license.txt', source: readFileSync(fontLicense) });
      },
    },
  ],
  root: 'src/app',
  // Relative addresses: the server decides under which path the console is (`<base>` in index.html).
  base: './',
  build: {
    outDir: '../../built',
    emptyOutDir: true,
    target: 'es2023',
    // Licences of the bundled packages, as they require.
    license: { fileName: 'licenses.md' },
    // A data: URL is longer than the request is worth, and every asset keeps its own hash.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark their client components for React Server Components, which there are none of here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
