/**
 * What `lab record` prints of the recording that the page 'record' shows, by its own code. It was
 * recorded with `--adapter gpu --until globalThis.isDone`, of a page that does nothing but `await
 * trial()` (src/site/ui/record/programs/trial.js).
 */
import { join } from 'node:path'
import { parseCondition } from '../cli/fail-if'
import { pageFailures, pageText } from '../cli/record-report'
import { reported } from '../cli/reported-page'
import { PAGE_FIGURES } from '../src/analysis/page-figures'
import { adapterNameOf } from '../src/trace/schema'

const FILE = join(import.meta.dirname, '../src/site/ui/record/recorded/run.hdl.gz')
const FAIL_IF = 'submitsPerWait < 2'

/** Where the site that is built can be cloned from, as GitHub's actions say; '' elsewhere. */
const repositoryOf = ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: NodeJS.ProcessEnv): string =>
  name ? `${server ?? 'https://github.com'}/${name}` : ''

export async function recordedPage() {
  const page = await reported(FILE)
  const { report, trace } = page
  const text = [
    `${String(trace.info.params['in'])} ${report.url}`,
    pageText(report),
    ...pageFailures([parseCondition(FAIL_IF, { names: PAGE_FIGURES, example: FAIL_IF })], [page]),
  ].join('\n')
  return {
    text,
    failIf: FAIL_IF,
    adapter: adapterNameOf(trace.info),
    isSoftware: report.adapter?.isFallbackAdapter === true,
    repository: repositoryOf(process.env),
  }
}
