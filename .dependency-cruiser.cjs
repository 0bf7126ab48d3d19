const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const packages = readdirSync(join(__dirname, 'packages')).filter((name) =>
  existsSync(join(__dirname, 'packages', name, 'package.json')),
);
const named = (pattern) => packages.filter((name) => pattern.test(name));

// The layers, lowest first (docs/architecture.md). A package imports only from lower ones; nothing imports in a circle.
const layers = [
  ['schema'],
  ['core', 'grammar', 'ports'],
  ['adapter-kit'],
  ['chat', 'files', 'models', 'moderations', 'responses', 'server', 'uploads', 'videos'],
  ['batches', 'store-sql', 'telemetry', ...named(/^(blobs|engine)-/)],
  ['client', ...named(/^store-(?!sql$)/)],
  ['conformance', 'testing'],
];

const unplaced = packages.filter((name) => !layers.flat().includes(name));
if (unplaced.length > 0) throw new Error(`Add to the layers in .dependency-cruiser.cjs: ${unplaced.join(', ')}`);

const upward = layers.flatMap((names, layer) => {
  const above = layers
    .slice(layer)
    .flat()
    .filter((name) => !names.includes(name));
  const beside = (name) => names.filter((other) => other !== name);
  return names.map((name) => ({
    name: `layer-of-${name}`,
    comment: `packages/${name} is below what it imports: invert the dependency, or move the code down`,
    from: { path: `^packages/${name}/src/`, pathNot: '\\.test(-d)?\\.ts$|/testing/(?!src/)' },
    to: { path: `^packages/(${[...above, ...beside(name)].join('|')})/` },
  }));
});

// Inside the server kit (docs/architecture.md), lowest first. A folder imports from lower ones only; files at the root that are not named
// here compose the server and may import everything.
const serverFolders = [
  '(json/|models/|options/(definitions|resolve-scalar|scalar|types)\\.ts|(child-process|clock|digest|errors|ids|lookup-cache|permissions|request-log|timers)\\.ts$)',
  'limits/',
  '(event-streams|jobs)/',
  'sessions/',
  '(options/options|call|context|server-stats)\\.ts$',
  'admission/',
  'media/',
  'webhooks/',
  'streaming/',
  'structured-output/',
  'generation/',
  '(batches|items)/',
  'http/',
  'resources/',
  'console/',
  '(create-context|docs|endpoints|index|internal|node|server|websocket)\\.ts$',
];
// Adapters of ports that the server kit brings along: they stand on the first files alone.
const serverAdapters = '(keys|redaction|web-search)/';

const test = '\\.test(-d)?\\.ts$|/testing/';
const upwardInServer = serverFolders.slice(0, -1).map((folder, level) => ({
  name: `server-level-${level + 1}`,
  comment: `packages/server/src/${folder} is below what it imports: move the code down, or pass it in`,
  from: { path: `^packages/server/src/${folder}`, pathNot: test },
  to: { path: `^packages/server/src/(${serverFolders.slice(level + 1).join('|')})` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circles', from: {}, to: { circular: true } },
    ...upward,
    ...upwardInServer,
    {
      name: 'adapters-without-the-server',
      comment: 'engines, stores and blobs implement @modelwire/ports and install without the server kit',
      from: { path: '^packages/(engine|store|blobs)-[^/]+/src/', pathNot: test },
      to: { path: '^packages/server/' },
    },
    {
      name: 'server-resources-are-apart',
      comment: 'a resource of the server kit imports no other resource: what two of them need is in a lower folder',
      from: { path: '^packages/server/src/resources/([^/]+)/', pathNot: test },
      to: { path: '^packages/server/src/resources/', pathNot: '^packages/server/src/resources/$1/' },
    },
    {
      name: 'server-adapters-stand-alone',
      from: { path: `^packages/server/src/${serverAdapters}`, pathNot: test },
      to: { path: '^packages/server/src/', pathNot: `^packages/server/src/(${serverAdapters}|${serverFolders[0]})` },
    },
    {
      name: 'server-files-have-a-level',
      comment: 'a new file or folder of the server kit gets its place in `serverFolders`',
      from: {
        path: '^packages/server/src/',
        pathNot: `^packages/server/src/(testing/|${serverAdapters}|${serverFolders.join('|')})|${test}`,
      },
      to: {},
    },
    {
      name: 'ports-without-runtime-dependencies',
      comment: 'ports are interfaces: they import types of @modelwire/schema; suites import vitest',
      from: {
        path: '^packages/ports/src/',
        pathNot: '\\.test(-d)?\\.ts$|/testing/|/suites/',
      },
      to: { pathNot: '^packages/(ports|schema)/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-take-types-of-the-schema',
      from: { path: '^packages/ports/src/', pathNot: '\\.test(-d)?\\.ts$' },
      to: { path: '^packages/schema/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'packages-know-no-apps', from: { path: '^packages/' }, to: { path: '^(apps|benchmarks)/' } },
    {
      name: 'clients-without-zod',
      comment: 'clients stay small: types come from @modelwire/schema/types, constants from its routes and enums',
      from: {
        path: '^packages/(core|chat|client|batches|files|models|moderations|responses|uploads|videos)/src/',
        // Validation is an entry of its own, for who wants it.
        pathNot: '\\.test(-d)?\\.ts$|^packages/client/src/validate/',
      },
      to: {
        path: '(^|/)node_modules/zod/|^packages/schema/src/(?!enums|types|routes)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'not-to-tests',
      // Scripts and test helpers are not published either.
      from: { pathNot: '\\.test(-d)?\\.ts$|/testing/(?!src/)|^packages/[^/]+/(scripts|test)/' },
      to: { path: '\\.test(-d)?\\.ts$|/testing/(?!src/)' },
    },
    {
      name: 'not-to-unresolvable',
      // Examples of a package import engines that their readers install.
      from: { pathNot: '^packages/[^/]+/examples/' },
      // SARIF is a format: its package has types only.
      to: { couldNotResolve: true, pathNot: '^sarif$' },
    },
  ].map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|built|\\.turbo|\\.vite)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
