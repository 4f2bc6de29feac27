/**
 * `npm test`: everything from a bare clone, with the sum in its last line. `node cli/test.mjs unit
 * e2e` runs only the steps named; what follows `--` goes to Playwright: `node cli/test.mjs build
 * gpu -- --shard=1/4`, `… -- e2e/clock.spec.ts`. Types, lint, format and build count as one check
 * each; unit and end-to-end tests one each.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureSite } from './build-site.mjs'
import { ensureBrowser, ensureShell, ensureFirefox } from './browsers.mjs'
import { ensureDependencies, hasBenchDependencies } from './dependencies.mjs'
import { readJson } from './read-json.mjs'
import { CommandError, formatSeconds, runCommand, runNode, say, stopTogether } from './terminal.mjs'
import { countPlaywright, countVitest } from './test-counts.mjs'

/** @typedef {import('./test-counts.mjs').Counts} Counts */

const BIN = {
  tsc: 'node_modules/typescript/bin/tsc',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
  oxfmt: 'node_modules/oxfmt/bin/oxfmt',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
}

/** @type {Array<() => void>} */
const waiting = []
let cores = availableParallelism()
/**
 * What keeps one core busy, when one is free, first come first: all at once, the longest would end
 * alone.
 * @template T
 * @param {() => Promise<T>} work
 */
async function onACore(work) {
  if (cores > 0) cores -= 1
  else await new Promise((/** @type {(value: void) => void} */ resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else cores += 1
  }
}

/**
 * @param {number} exitCode
 * @returns {Counts}
 */
const asCheck = (exitCode) => ({
  passed: exitCode === 0 ? 1 : 0,
  failed: exitCode === 0 ? 0 : 1,
  skipped: 0,
  failures: [],
})

/**
 * A test runner's own counts. One that ended badly without a failed test (a file that does not
 * load) has failed once all the same.
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
 * @typedef {{
 *   folder: string,
 *   forPlaywright: readonly string[],
 *   quiet: boolean,
 * }} How folder: for reports; forPlaywright: more arguments; quiet: others run beside it, so that
 * output is shown only of what fails
 */

async function chromium() {
  const browser = await ensureBrowser()
  return { CHROME_PATH: browser, LAB_SHELL_PATH: await ensureShell(browser) }
}
/** The lessons whole. */
const firefox = async () => ({ FIREFOX_PATH: await ensureFirefox(), LAB_LONG: '1' })

/** @param {readonly Counts[]} all */
const sumOf = (all) =>
  all.reduce((sum, each) => ({
    passed: sum.passed + each.passed,
    failed: sum.failed + each.failed,
    skipped: sum.skipped + each.skipped,
    failures: [...sum.failures, ...each.failures],
  }))

/**
 * Programs of which each has to end well: together one check.
 * @param {() => Promise<readonly (readonly string[])[]>} programs
 */
const check =
  (programs) =>
  async (/** @type {How} */ { quiet }) =>
    asCheck(
      Math.max(
        ...(await Promise.all((await programs()).map((args) => onACore(() => runNode(args, { quiet }))))),
      ),
    )

/**
 * Runs of Playwright, one after the other. A file or shard that is asked for may have tests in one
 * of them only, and projects that are asked for are one run: Playwright would add them to each.
 * @param {readonly (readonly string[])[]} runs arguments of each
 * @param {() => Promise<NodeJS.ProcessEnv>} [browser]
 */
const inBrowser =
  (runs, browser = chromium) =>
  async (/** @type {How} */ { folder, forPlaywright }) => {
    const isPart = forPlaywright.length > 0
    // Who asks for a file wants all of it.
    if (isPart) process.env['LAB_LONG'] ??= '1'
    /** @type {Counts[]} */
    const all = []
    for (const own of forPlaywright.some((arg) => arg.startsWith('--project')) ? [[]] : runs) {
      const file = join(folder, `${own[0] ?? 'asked'}.json`)
      // 'list' prints a failure when it happens: a machine that is lent may be gone before the end.
      const more = ['--reporter=list,json', ...(isPart ? ['--pass-with-no-tests'] : []), ...forPlaywright]
      const code = await runNode(
        [BIN.playwright, 'test', '-c', 'e2e/playwright.config.ts', ...own, ...more],
        { env: { ...(await browser()), PLAYWRIGHT_JSON_OUTPUT_NAME: file } },
      )
      all.push(await countsFrom(code, file, countPlaywright))
    }
    const counts = sumOf(all)
    // Nothing found is no success.
    if (counts.passed + counts.failed + counts.skipped > 0) return counts
    return { ...asCheck(1), failures: [`'${forPlaywright.join(' ')}' names no test of these projects.`] }
  }

/** What only has to end, side by side; then what compares times, alone. */
const END_TO_END = [
  ['--project=beside', '--project=faults', '--project=no-gpu'],
  ['--project=alone', '--project=quantized', '--workers=1'],
]

/**
 * @typedef {{ name: string, title: string, isBeside?: true, run: (how: How) => Promise<Counts> }}
 * Step isBeside: no time is measured in it, so that it runs as soon as a core is free. Unit tests,
 * the last of these, take every core there is
 */
/** @type {readonly Step[]} */
const STEPS = [
  {
    name: 'lint',
    title: 'Lint (oxlint, knip)',
    isBeside: true,
    run: check(() =>
      Promise.resolve([
        [BIN.oxlint, '--deny-warnings', '--report-unused-disable-directives'],
        [BIN.knip],
        [BIN.knip, '--production'],
      ]),
    ),
  },
  {
    name: 'types',
    title: 'Types',
    isBeside: true,
    // The benches' libraries are no part of every installation.
    run: check(async () =>
      ['.', ...((await hasBenchDependencies()) ? ['bench'] : [])].map((project) => [
        BIN.tsc,
        '--noEmit',
        '-p',
        project,
      ]),
    ),
  },
  {
    name: 'format',
    title: 'Format',
    isBeside: true,
    run: check(() => Promise.resolve([[BIN.oxfmt, '--check']])),
  },
  {
    name: 'build',
    title: 'Build',
    isBeside: true,
    run: async () => {
      process.env['LAB_STRICT_BUILD'] = '1'
      try {
        await onACore(ensureSite)
        return asCheck(0)
      } catch (thrown) {
        if (!(thrown instanceof CommandError)) throw thrown
        say(thrown.message)
        return asCheck(1)
      }
    },
  },
  {
    name: 'unit',
    title: 'Unit tests',
    isBeside: true,
    run: async ({ folder }) => {
      const file = join(folder, 'unit.json')
      const args = [BIN.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
      return await countsFrom(await onACore(() => runNode(args)), file, countVitest)
    },
  },
  { name: 'e2e', title: 'End to end, software adapter', run: inBrowser(END_TO_END) },
  {
    name: 'long',
    title: 'End to end, software adapter, with what npm test leaves out',
    run: inBrowser(END_TO_END),
  },
  { name: 'mends', title: 'Every program of every mend', run: inBrowser([['--project=mends']]) },
  { name: 'firefox', title: 'End to end in Firefox', run: inBrowser([['--project=firefox']], firefox) },
  {
    name: 'gpu',
    title: 'End to end, this machine’s GPU',
    run: inBrowser([['--project=gpu'], ['--project=gpu-alone']]),
  },
]
const DEFAULT_STEPS = ['types', 'lint', 'format', 'unit', 'build', 'e2e']

await runCommand(async () => {
  stopTogether()
  const dashes = process.argv.indexOf('--')
  const named = process.argv.slice(2, dashes < 0 ? undefined : dashes)
  const forPlaywright = dashes < 0 ? [] : process.argv.slice(dashes + 1)
  const wanted = named.length > 0 ? named : DEFAULT_STEPS
  const unknown = wanted.find((name) => !STEPS.some((known) => known.name === name))
  if (unknown !== undefined) {
    throw new CommandError(
      `There is no step '${unknown}'; there are ${STEPS.map(({ name }) => name).join(', ')}.`,
      2,
    )
  }
  // Unit tests beside it read this too: src/testing/long.ts.
  if (wanted.includes('long')) process.env['LAB_LONG'] = '1'
  await ensureDependencies('for developing')
  const folder = await mkdtemp(join(tmpdir(), 'lab-test-'))
  /** @type {Counts[]} */
  const all = []
  /**
   * @param {Step} step
   * @param {boolean} quiet
   */
  const take = async ({ title, run }, quiet) => {
    const started = Date.now()
    const counts = await run({ folder, forPlaywright, quiet })
    all.push(counts)
    const took = formatSeconds(Date.now() - started)
    say(
      `${counts.failed === 0 ? '✓' : '✗'} ${title}: ${counts.passed} passed, ${counts.failed} failed (${took})`,
    )
  }
  /** @param {string} title */
  const heading = (title) => say(`\n── ${title} ${'─'.repeat(Math.max(0, 66 - title.length))}`)
  const steps = STEPS.filter(({ name }) => wanted.includes(name))
  const sideBySide = steps.filter(({ isBeside }) => isBeside)
  try {
    if (sideBySide.length > 0) {
      heading(sideBySide.map(({ title }) => title).join(', '))
      await Promise.all(sideBySide.map((each) => take(each, sideBySide.length > 1)))
    }
    for (const each of steps.filter(({ isBeside }) => !isBeside)) {
      heading(each.title)
      await take(each, false)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const sum = sumOf(all)
  say('')
  // Named again here: whoever keeps only the end of a long output sees what failed.
  for (const failure of sum.failures) say(`✗ ${failure}`)
  if (sum.skipped > 0) say(`${sum.skipped} skipped, each with its reason above`)
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
})
