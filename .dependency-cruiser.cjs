// The layers, lowest first (docs/architecture.md). A package imports only from lower ones; nothing imports in a circle.
const layers = [
  ['schema'],
  ['core', 'grammar'],
  ['chat', 'files', 'models', 'moderations', 'server', 'uploads', 'videos'],
  [
    'batches',
    'blobs-fs',
    'blobs-s3',
    'engine-command',
    'engine-image-moderation',
    'engine-judge',
    'engine-llama',
    'engine-moderation',
    'engine-simulator',
    'engine-speech',
    'engine-storyboard',
    'engine-upstream',
    'store-sql',
  ],
  ['client', 'store-postgres', 'store-sqlite'],
  ['conformance', 'testing'],
];

const upward = layers.flatMap((names, layer) => {
  const above = layers
    .slice(layer)
    .flat()
    .filter((name) => !names.includes(name));
  const beside = (name) => names.filter((other) => other !== name);
  return names.map((name) => ({
    name: `layer-of-${name}`,
    comment: `packages/${name} is below what it imports: turn the dependency round, or move the code down`,
    severity: 'error',
    from: { path: `^packages/${name}/src/`, pathNot: '\\.test(-d)?\\.ts$|/testing/(?!src/)' },
    to: { path: `^packages/(${[...above, ...beside(name)].join('|')})/` },
  }));
});

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...upward,
    {
      name: 'packages-know-no-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|benchmarks)/' },
    },
    {
      name: 'clients-without-zod',
      comment: 'clients stay small: types come from @modelwire/schema/types, paths from @modelwire/schema/routes',
      severity: 'error',
      from: {
        path: '^packages/(core|chat|client|batches|files|models|moderations|uploads|videos)/src/',
        // Validation is an entry of its own, for who wants it.
        pathNot: '\\.test(-d)?\\.ts$|^packages/client/src/validate/',
      },
      to: { path: '(^|/)node_modules/zod/|^packages/schema/src/(?!types|routes)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-to-tests',
      severity: 'error',
      // What makes weights is not published either, and takes the sentences of the tests.
      from: { pathNot: '\\.test(-d)?\\.ts$|/testing/(?!src/)|^packages/[^/]+/scripts/' },
      to: { path: '\\.test(-d)?\\.ts$|/testing/(?!src/)' },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.turbo|\\.vite)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
