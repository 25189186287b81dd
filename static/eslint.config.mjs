// The rules of `make lint-js` beside the types: what is surely a mistake, and lines
// of 120 columns at most. Formatting is prettier's.

import js from '../build/npm/eslint/node_modules/@eslint/js/src/index.js'; // where scripts/npm.sh puts it

export default [
  { ignores: ['**/static/lib/*.js', '**/static/site/**'] }, // built files
  js.configs.recommended,
  {
    files: ['**/*.js'],
    rules: {
      'max-len': ['error', { code: 120, tabWidth: 2 }],
      'no-undef': 'off', // the check of types finds these
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      curly: ['error', 'multi-line'],
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-shadow': 'off',
      'no-self-compare': 'error',
      'no-return-assign': 'error',
      'no-throw-literal': 'error',
      'no-unreachable-loop': 'error',
    },
  },
];
