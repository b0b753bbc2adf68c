import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores([
    'node_modules',
    'dist',
    'src/features/console/built',
    'site/out',
    'data',
    'coverage',
    'eslint.config.js',
    '**/*.generated.cjs',
  ]),
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A part of an object is left out by naming it.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-console': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
      complexity: ['error', 14],
    },
  },
  {
    // Run with any Node: at the end of `npm ci`, and as the command of a package.
    files: ['packaging/*.js', 'bin/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // Runs in a browser, as it is.
    files: ['site/page.js'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-undef': 'off' },
  },
  {
    // A component is one tree of markup, whose lines and conditions are easier to follow than those of code.
    files: ['src/features/console/pages/**/*.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 20],
    },
  },
  {
    files: ['test/**', 'bench/**'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off' },
  },
  {
    files: ['examples/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
);
