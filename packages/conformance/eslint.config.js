import preset from '@modelwire/eslint';

const node = {
  files: ['src/testing/**'],
  rules: { '@typescript-eslint/no-restricted-imports': 'off', 'no-restricted-globals': 'off' },
};

export default [...preset({ portable: true }), node];
