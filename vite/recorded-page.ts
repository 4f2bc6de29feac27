/**
 * `virtual:recorded-page`: what `lab record` prints of the recording that the page 'record' shows, by its own code. It was recorded with
 * `--adapter gpu --until globalThis.isDone`, of a page that does nothing but `await trial()` (src/ui/record/programs/trial.js).
 */
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { parseCondition } from '../cli/fail-if'
import { pageFailures } from '../cli/page-budget'
import { pageText } from '../cli/record-report'
import { reported } from '../cli/reported-page'
import { PAGE_FIGURES } from '../src/analysis/page-figures'
import { adapterNameOf } from '../src/trace/adapter-name'

const FILE = join(import.meta.dirname, '../src/ui/record/recorded/run.hdl.gz')
const FAIL_IF = 'submitsPerWait < 2'
const NAME = 'virtual:recorded-page'
const RESOLVED = `\0${NAME}`

export const recordedPage = (): Plugin => ({
  name: 'recorded-page',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  async load(id) {
    if (id !== RESOLVED) return null
    const page = await reported(FILE)
    const { report, trace } = page
    const text = [
      `${String(trace.info.params['in'])} ${report.url}`,
      pageText(report),
      ...pageFailures([parseCondition(FAIL_IF, { names: PAGE_FIGURES, example: FAIL_IF })], [page]),
    ].join('\n')
    const known = {
      text,
      failIf: FAIL_IF,
      adapter: adapterNameOf(trace.info),
      isSoftware: report.adapter?.isFallbackAdapter === true,
    }
    return Object.entries(known)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
})
