import { join } from 'node:path';
import importX from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The preset of every package. `portable: true` forbids what only Node has (packages that also run in browsers and Workers). */
export default function preset({ portable = false } = {}) {
  const cwd = process.cwd();
  return defineConfig(
    { ignores: ['built/**', 'dist/**', 'node_modules/**', '.turbo/**'] },
    {
      files: ['**/*.ts', '**/*.tsx'],
      extends: [tseslint.configs.strictTypeChecked],
      plugins: { 'import-x': importX },
      languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: cwd } },
      rules: {
        'import-x/no-extraneous-dependencies': ['error', { packageDir: [cwd, join(cwd, '../..')] }],
        'no-restricted-syntax': [
          'error',
          {
            selector: 'ImportDeclaration[source.value="zod"][importKind!="type"] > ImportSpecifier',
            message: 'import * as z from "zod": 26 KB against 91 KB.',
          },
          {
            selector: 'ImportDeclaration[source.value="undici"][importKind!="type"]',
            message:
              'import from "undici/index.js": Bun replaces "undici" by a module of its own, which ignores dispatchers.',
          },
        ],
        '@typescript-eslint/consistent-type-imports': 'error',
        '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        '@typescript-eslint/require-await': 'off',
        // Our objects are closures: their methods have no `this` to lose.
        '@typescript-eslint/unbound-method': 'off',
        '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
        // The wire keeps its deprecated fields (interface: Versioning), so we must name them.
        '@typescript-eslint/no-deprecated': 'off',
      },
    },
    { files: ['**/*.test.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
    portable
      ? {
          files: ['src/**/*.ts'],
          ignores: ['src/**/*.test.ts'],
          rules: {
            'no-restricted-globals': ['error', 'process', 'Buffer', 'global', '__dirname', 'require', 'setImmediate'],
            '@typescript-eslint/no-restricted-imports': [
              'error',
              { patterns: [{ regex: '^node:', message: 'This package also runs in browsers and Workers.' }] },
            ],
          },
        }
      : [],
    { files: ['**/*.js', '**/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
  );
}
