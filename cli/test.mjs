/**
 * `npm test`: everything from a bare clone, with the sum in its last line. `node cli/test.mjs unit e2e` runs only the steps named.
 * Types, lint, format and build count as one check each; unit and end-to-end tests one each.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureSite } from './build-site.mjs'
import { ensureBrowser } from './browsers.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { readJson } from './read-json.mjs'
import { CommandError, formatSeconds, runCommand, runNode, say, stopChildren } from './terminal.mjs'
import { countPlaywright, countVitest } from './test-counts.mjs'

/** @typedef {import('./test-counts.mjs').Counts} Counts */

const BIN = {
  tsc: 'node_modules/typescript/bin/tsc',
  eslint: 'node_modules/eslint/bin/eslint.js',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
}

/**
 * @param {number} exitCode
 * @returns {Counts}
 */
const asCheck = (exitCode) => ({ passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 })

/**
 * A test runner's own counts. One that ended badly without a failed test (a file that does not load) has failed once all the same.
 * @param {number} exitCode
 * @param {string} file its JSON report
 * @param {(report: unknown) => Counts} count
 */
async function countsFrom(exitCode, file, count) {
  const report = await readJson(file)
  const counts = report === null ? asCheck(1) : count(report)
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/**
 * @param {string} folder for reports
 * @param {readonly string[]} projects
 */
async function playwright(folder, projects) {
  const file = join(folder, 'e2e.json')
  const args = [
    BIN.playwright,
    'test',
    '-c',
    'e2e/playwright.config.ts',
    ...projects.map((project) => `--project=${project}`),
  ]
  const code = await runNode([...args, '--reporter=list,json'], {
    env: { CHROME_PATH: await ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  })
  return await countsFrom(code, file, countPlaywright)
}

/** @typedef {{ name: string, title: string, fix: string, run: (folder: string) => Promise<Counts> }} Step */
/** @type {readonly Step[]} */
const STEPS = [
  {
    name: 'types',
    title: 'Types',
    fix: 'npm run test:types, then mend what it names',
    run: async () => asCheck(await runNode([BIN.tsc, '--noEmit'])),
  },
  {
    name: 'lint',
    title: 'Lint (eslint, oxlint)',
    fix: 'npm run fix:lint',
    run: async () => {
      const eslint = await runNode([BIN.eslint, '.', '--max-warnings', '0'])
      const oxlint = await runNode([BIN.oxlint, '--deny-warnings'])
      return asCheck(eslint || oxlint)
    },
  },
  {
    name: 'format',
    title: 'Format',
    fix: 'npm run fix:format',
    run: async () => asCheck(await runNode([BIN.prettier, '--check', '--log-level', 'warn', '.'])),
  },
  {
    name: 'unit',
    title: 'Unit tests',
    fix: 'npm run test:unit -- <file>',
    run: async (folder) => {
      const file = join(folder, 'unit.json')
      const args = [BIN.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
      return await countsFrom(await runNode(args), file, countVitest)
    },
  },
  {
    name: 'build',
    title: 'Build',
    fix: 'npm run build',
    run: async () => {
      try {
        await ensureSite()
        return asCheck(0)
      } catch (thrown) {
        if (!(thrown instanceof CommandError)) throw thrown
        say(thrown.message)
        return asCheck(1)
      }
    },
  },
  {
    name: 'e2e',
    title: 'End to end, software adapter',
    fix: 'npm run test:e2e',
    run: (folder) => playwright(folder, ['software', 'quantized', 'no-gpu']),
  },
  {
    name: 'gpu',
    title: 'End to end, this machine’s GPU',
    fix: 'npm run test:gpu',
    run: (folder) => playwright(folder, ['gpu']),
  },
]
const DEFAULT_STEPS = ['types', 'lint', 'format', 'unit', 'build', 'e2e']

await runCommand(async () => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      stopChildren()
      process.exit(130)
    })
  }
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : DEFAULT_STEPS
  const unknown = wanted.find((name) => !STEPS.some((known) => known.name === name))
  if (unknown !== undefined) {
    throw new CommandError(
      `There is no step '${unknown}'; there are ${STEPS.map(({ name }) => name).join(', ')}.`,
      2,
    )
  }
  await ensureDependencies()
  const folder = await mkdtemp(join(tmpdir(), 'lab-test-'))
  const sum = { passed: 0, failed: 0, skipped: 0 }
  /** @type {string[]} */
  const fixes = []
  try {
    for (const { name, title, fix, run } of STEPS.filter((each) => wanted.includes(each.name))) {
      say(`\n── ${title} ${'─'.repeat(Math.max(0, 66 - title.length))}`)
      const started = Date.now()
      const counts = await run(folder)
      sum.passed += counts.passed
      sum.failed += counts.failed
      sum.skipped += counts.skipped
      const took = formatSeconds(Date.now() - started)
      say(
        `${counts.failed === 0 ? '✓' : '✗'} ${title}: ${counts.passed} passed, ${counts.failed} failed (${took})`,
      )
      if (counts.failed > 0) fixes.push(`${name}: ${fix}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  say('')
  for (const fix of fixes) say(`To mend ${fix}`)
  if (sum.skipped > 0) say(`${sum.skipped} skipped, each with its reason above`)
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
})
