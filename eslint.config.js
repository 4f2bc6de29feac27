/**
 * Lint rules: typescript-eslint's strictest typed set for all TypeScript and for the plain-Node commands in cli/.
 * Warnings are errors (`--max-warnings 0`). Accessibility of JSX is oxlint's half, see .oxlintrc.json.
 */
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  globalIgnores([
    'dist/',
    'dist-bench/',
    'dist-cli/',
    'dist-pages/',
    'dist-recorder/',
    'lab-out/',
    'test-results/',
    'playwright-report/',
    '.gpu/',
  ]),
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    // Programs are read by learners and run as they stand: plain JavaScript, without types.
    ignores: ['**/programs/*.js', '**/mend/**/*.js'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Lost promises are our likeliest bug: `void` is no way round it.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Elsewhere are no components and no hooks, and compiling each function to find out costs an eighth of all linting.
    files: ['src/ui/**/*.{ts,tsx}', 'src/main.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ":matches(LogicalExpression, ConditionalExpression) > CallExpression[callee.name='use']",
          message:
            "A render that suspends in use() must come to it again: React's error 467. See base/load-once.ts.",
        },
      ],
    },
  },
  // A command speaks through its terminal, and a tool's configuration is its default export, as is a reporter of Playwright's.
  { files: ['cli/**', 'bench/**', 'e2e/**', 'vite/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.config.{ts,js}', 'e2e/*-reporter.ts'], rules: { 'no-restricted-exports': 'off' } },
)
