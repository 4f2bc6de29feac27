/** What `record` is asked for, as part of `npm run lab` and in a package (lab-alone.ts). */
import { PAGE_FIGURES } from '../src/analysis/page-figures'
import { parseCondition } from './fail-if'
import { adapterOf, strictArguments, usageError } from './strict-arguments'

/** @param command by which it is called */
export const recordUsage = (
  command: string,
): string => `  ${command} record URL [--seconds N] [--click SELECTOR] [--until JS] [--adapter auto|gpu|software] [--out DIR]
                             [--fail-if CONDITION]...
      Records the WebGPU of any page, its frames and its workers, and writes run.hdl.gz, trace.json and report.json into DIR (left out:
      lab-out/record-<time>). Prints what to look at first, with its lines of JavaScript and the lesson that mends it.
      --seconds    how long from the page's load on (left out: 5; with --until 60 at most).
      --click      presses what this selector finds, as soon as it finds something.
      --until      ends once this expression is true in the page.
      --fail-if    exit code 1, with the lines at fault, where it holds of the page, a frame or a worker, or cannot be determined:
                   "submitsPerFrame > 2". Names: ${PAGE_FIGURES.slice(0, 6).join(', ')},
                   ${PAGE_FIGURES.slice(6, 11).join(', ')},
                   ${PAGE_FIGURES.slice(11).join(', ')}.`

export type RecordArguments = ReturnType<typeof parseRecord>

export function parseRecord(args: readonly string[]) {
  const { values, positionals } = strictArguments(args, {
    adapter: { type: 'string', default: 'auto' },
    seconds: { type: 'string' },
    click: { type: 'string' },
    until: { type: 'string' },
    out: { type: 'string' },
    'fail-if': { type: 'string', multiple: true, default: [] as string[] },
  })
  const { click = null, until = null, out = null } = values
  const [url, ...others] = positionals
  if (url === undefined) throw usageError('Which page? Say record URL.')
  if (!URL.canParse(url) || !/^(https?|file):/.test(url))
    throw usageError(
      `'${url}' is no address of a page. Lessons are recorded by '${['record-lessons', ...args].join(' ')}'.`,
    )
  if (others.length > 0) throw usageError(`One page at a time; got '${positionals.join(' ')}'.`)
  const adapter = adapterOf(values.adapter)
  if (out === '') throw usageError('--out wants a folder.')
  const failIf = values['fail-if'].map((text) =>
    parseCondition(text, { names: PAGE_FIGURES, example: 'submitsPerFrame > 2' }),
  )
  const seconds = secondsOf(values.seconds) ?? (until === null ? 5 : 60)
  return { url, seconds, click, until, adapter, out, failIf }
}

/** @throws CommandError where it is no such number */
export function secondsOf(text: string | undefined): number | null {
  if (text !== undefined && !/^[1-9]\d{0,4}$/.test(text))
    throw usageError(`--seconds wants a whole number from 1 to 99999; got '${text}'.`)
  return text === undefined ? null : Number(text)
}
