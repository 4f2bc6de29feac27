/**
 * `npm run test:firefox [-- experiment …] [-- --out folder]`: every experiment once, with its default values, in a second
 * implementation of WebGPU. Exit code 1 where a run fails, is not valid, or takes longer than a first run may.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { experiments } from './catalog'
import { ensureSite } from './build-site.mjs'
import { openFirefoxPage, type FirefoxPage } from './firefox-page'
import { environmentText, failuresOf, runsText, type FirefoxRun } from './firefox-report'
import { ensureFirefox } from './firefox.mjs'
import { serveSite } from './static-server.mjs'
import { CommandError, formatSeconds, say } from './terminal.mjs'

function parse(argv: readonly string[]): { readonly ids: readonly string[]; readonly out: string | null } {
  try {
    const { positionals, values } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { out: { type: 'string' } },
    })
    const known = experiments.map(({ id }) => id)
    const unknown = positionals.find((id) => !known.includes(id))
    if (unknown !== undefined)
      throw new CommandError(`There is no experiment '${unknown}'; there are ${known.join(', ')}.`, 2)
    return { ids: positionals.length > 0 ? positionals : known, out: values.out ?? null }
  } catch (thrown) {
    if (thrown instanceof CommandError) throw thrown
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown), 2)
  }
}

async function runOnce(lab: FirefoxPage, experiment: string): Promise<FirefoxRun> {
  const started = performance.now()
  try {
    return { experiment, ...(await lab.run(experiment)) }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown)
    return { experiment, outcome: null, error, phases: [], tookMs: performance.now() - started }
  }
}

/** Where a run did not end, the page still works on it: the next one gets a browser of its own. */
async function runAll(
  ids: readonly string[],
  open: () => Promise<FirefoxPage>,
): Promise<readonly FirefoxRun[]> {
  const runs: FirefoxRun[] = []
  let lab: FirefoxPage | null = null
  try {
    for (const id of ids) {
      if (!lab) {
        lab = await open()
        console.log(`${lab.browserVersion}\n${environmentText(lab.environment, lab.probeMs)}\n`)
      }
      const run = await runOnce(lab, id)
      runs.push(run)
      say(`${failuresOf(run).length === 0 ? '✓' : '✗'} ${id} (${formatSeconds(run.tookMs)})`)
      if (!run.outcome) {
        await lab.close()
        lab = null
      }
    }
  } finally {
    await lab?.close()
  }
  return runs
}

export async function testFirefox(argv: readonly string[]): Promise<number> {
  const { ids, out } = parse(argv)
  await ensureSite()
  const executablePath = await ensureFirefox()
  const site = await serveSite()
  try {
    const runs = await runAll(ids, () => openFirefoxPage(executablePath, site.url))
    if (out !== null) {
      await mkdir(out, { recursive: true })
      for (const run of runs)
        await writeFile(join(out, `${run.experiment}.json`), `${JSON.stringify(run, null, 2)}\n`)
    }
    console.log(runsText(runs))
    const failures = runs.flatMap((run) => failuresOf(run).map((why) => `${run.experiment}: ${why}`))
    for (const failure of failures) say(`error: ${failure}`)
    return failures.length === 0 ? 0 : 1
  } finally {
    await site.close()
  }
}
