/**
 * `npm run test:browsers`: the lab in Firefox, which is installed where it is missing. `-- LESSON` runs what
 * has that lesson's name in its own. The sum stands in its last line.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureSite } from './build-site.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureFirefox } from './firefox.mjs'
import { readJson } from './read-json.mjs'
import { CommandError, runCommand, runNode, say, stopTogether } from './terminal.mjs'
import { countPlaywright } from './test-counts.mjs'

await runCommand(async () => {
  stopTogether()
  const lessons = process.argv.slice(2)
  const wrong = lessons.find((each) => !/^[a-z-]+$/.test(each))
  if (wrong !== undefined) throw new CommandError(`'${wrong}' is no lesson.`, 2)
  await ensureDependencies('for developing')
  await ensureSite()
  const FIREFOX_PATH = await ensureFirefox()
  const folder = await mkdtemp(join(tmpdir(), 'lab-browsers-'))
  try {
    const file = join(folder, 'firefox.json')
    const code = await runNode(
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        '-c',
        'e2e/browsers.config.ts',
        '--reporter=list,json',
        ...(lessons.length > 0 ? ['-g', `\\b(${lessons.join('|')})(:|\\.spec\\.ts)`] : []),
      ],
      { env: { FIREFOX_PATH, PLAYWRIGHT_JSON_OUTPUT_NAME: file } },
    )
    const report = await readJson(file)
    const { passed, failed, failures } =
      report === null ? { passed: 0, failed: 1, failures: [] } : countPlaywright(report)
    for (const failure of failures) say(`✗ ${failure}`)
    console.log(`${passed} passed, ${failed} failed`)
    // A file that did not load failed no test, and nothing that ran is no success.
    return code === 0 && passed > 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
