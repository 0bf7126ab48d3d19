import preset from '@modelwire/eslint';

// The preset's `no-restricted-imports` takes `* as z` for the name `z` as well: say here what it means.
const namespaceOnly = {
  files: ['**/*.ts'],
  rules: {
    'no-restricted-imports': 'off',
    'no-restricted-syntax': [
      'error',
      {
        selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier",
        message: 'import * as z from "zod": 26 KB against 91 KB.',
      },
    ],
  },
};

export default [{ ignores: ['vitest.config.ts'] }, ...preset({ portable: true }), namespaceOnly];
