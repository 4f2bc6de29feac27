/**
 * `npm run test:browsers`: the lab in engines other than Chromium's, installing what is missing. `-- firefox` or `-- webkit` runs one of them,
 * `-- LESSON` what has that lesson's name in its own; both may be given. The sum stands in its last line.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureSite } from './build-site.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureFirefox } from './firefox.mjs'
import { readJson } from './read-json.mjs'
import { CommandError, formatSeconds, runCommand, runNode, say, stopChildren } from './terminal.mjs'
import { countPlaywright } from './test-counts.mjs'
import { ensureWebKit } from './webkitgtk.mjs'

/** Each says where it is, or throws in words; what it finds reaches the tests through the environment. */
const BROWSERS = {
  firefox: async () => ({ FIREFOX_PATH: await ensureFirefox() }),
  webkit: async () => {
    await ensureWebKit()
    return {}
  },
}
/** @typedef {keyof typeof BROWSERS} BrowserName */

/**
 * @param {BrowserName} name
 * @param {readonly string[]} lessons
 * @param {string} folder
 */
async function test(name, lessons, folder) {
  /** @type {NodeJS.ProcessEnv} */
  let env
  try {
    env = await BROWSERS[name]()
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown
    return { passed: 0, failed: 1, skipped: 0, failures: [`${name}: ${thrown.message}`] }
  }
  const file = join(folder, `${name}.json`)
  const code = await runNode(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '-c',
      'e2e/browsers.config.ts',
      `--project=${name}`,
      '--reporter=list,json,e2e/runs-reporter.ts',
      ...(lessons.length > 0 ? ['-g', `\\b(${lessons.join('|')})(:|\\.spec\\.ts)`] : []),
    ],
    { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file } },
  )
  const report = await readJson(file)
  const none = { passed: 0, failed: 1, skipped: 0, failures: [`${name}: no test ran`] }
  const counts = report === null ? none : countPlaywright(report)
  // Nothing that ran is no success, and neither is a file that did not load.
  const isNothing = counts.passed + counts.failed === 0
  return isNothing || (code !== 0 && counts.failed === 0) ? none : counts
}

await runCommand(async () => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      stopChildren()
      process.exit(130)
    })
  }
  const names = /** @type {readonly BrowserName[]} */ (Object.keys(BROWSERS)) // the keys of BROWSERS, no others
  const asked = process.argv.slice(2)
  const lessons = asked.filter((each) => !names.some((name) => name === each))
  const wrong = lessons.find((each) => !/^[a-z-]+$/.test(each))
  if (wrong !== undefined)
    throw new CommandError(`'${wrong}' is neither a lesson nor one of ${names.join(', ')}.`, 2)
  const chosen = names.filter((name) => asked.includes(name))
  await ensureDependencies('for developing')
  await ensureSite()
  const folder = await mkdtemp(join(tmpdir(), 'lab-browsers-'))
  let [passed, failed] = [0, 0]
  try {
    for (const name of chosen.length > 0 ? chosen : names) {
      const started = Date.now()
      const counts = await test(name, lessons, folder)
      passed += counts.passed
      failed += counts.failed
      for (const failure of counts.failures) say(`✗ ${failure}`)
      const took = formatSeconds(Date.now() - started)
      say(
        `${counts.failed === 0 ? '✓' : '✗'} ${name}: ${counts.passed} passed, ${counts.failed} failed (${took})`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
})
