import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Rolldown } from 'vite';
import { expect, it, onTestFinished, vi } from 'vitest';

const maxFirstPageBytes = 250_000;

/** Builds the console in memory, as for a release: under `NODE_ENV=test`, React would be its development version. */
async function buildInMemory(): Promise<readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]> {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const result = await build({
    root: fileURLToPath(new URL('app/', import.meta.url)),
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { write: false },
  });
  if ('on' in result) throw new Error('The build watches files');
  return [result].flat().flatMap(({ output }) => output);
}

/** A chunk with its static imports, directly or indirectly. */
function withImports(
  chunk: Rolldown.OutputChunk,
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
  visited = new Set<Rolldown.OutputChunk>(),
): ReadonlySet<Rolldown.OutputChunk> {
  if (visited.has(chunk)) return visited;
  visited.add(chunk);
  for (const name of chunk.imports) {
    const imported = chunks.get(name);
    if (imported) withImports(imported, chunks, visited);
  }
  return visited;
}

it('loads at most 250 KB gzipped for the first page, and each other page on demand', async () => {
  const output = await buildInMemory();
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error('The build has no entry');
  const first = withImports(entry, chunks);
  expect([...first].some(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/home.tsx')))).toBe(true);
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css'));
  const texts = [
    ...[...first].map(({ code }) => code),
    ...styles.map((file) => (file.type === 'asset' ? file.source : '')),
  ];
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThan(maxFirstPageBytes);
  expect(bytes).toBeGreaterThan(100_000);
  for (const page of [
    'playground',
    'completions',
    'datasets',
    'comparisons',
    'files',
    'batches',
    'videos',
    'moderation',
    'usage',
    'keys',
    'budgets',
    'audit',
    'models',
  ]) {
    const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${page}.tsx`));
    expect(chunk, page).toBeDefined();
    expect(chunk && first.has(chunk), page).toBe(false);
  }
});

it('has only relative URLs in its page, hashed names in assets/, and no inline script or style', async () => {
  const output = await buildInMemory();
  const page = output.find(({ fileName }) => fileName === 'index.html');
  const html = page?.type === 'asset' ? String(page.source) : '';
  const urls = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  expect(urls.length).toBeGreaterThan(2);
  for (const url of urls) expect(url).toMatch(/^\.\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg|woff2)$/);
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
});
