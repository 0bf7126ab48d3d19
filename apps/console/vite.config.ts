import { defineConfig } from 'vite';

export default defineConfig({
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
