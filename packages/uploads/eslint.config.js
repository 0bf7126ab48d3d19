import preset from '@modelwire/eslint';

export default [
  ...preset({ portable: true }),
  // The entry of its own for Node.
  { files: ['src/node.ts'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
];
