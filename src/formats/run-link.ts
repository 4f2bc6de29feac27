/**
 * A small run as text for an address: the own format in few bytes (link/compact.ts), deflated, in the 64 letters that an address takes as
 * they are. The text is one digit (the TRACE_VERSION that wrote it: an older link is upgraded as an older file is), six letters of
 * checksum, the data. It lies behind the `#`, which no browser sends to a server.
 *
 * Limit: 32,000 characters. Chromium displays addresses up to 32 × 1024 (content/common/content_constants.cc; it carries 2 MiB), Firefox
 * keeps up to 65,536 in its history (URL_LENGTH_MAX of Places). Messengers may cut earlier: the checksum tells.
 */
import { fnv1a } from '../base/fnv'
import { fail, succeed, type Result } from '../base/result'
import { check, OverBudget, tooLarge } from '../trace/budget'
import { decodeRun, encodeRun, type BadFile, type SavedRun } from '../trace/codec'
import { readFile, writeFile } from '../trace/file-layout'
import { deflateBytes, inflateBytes } from '../trace/gzip'
import { CARRIED, LEFT_OUT } from '../trace/left-out'
import { TRACE_VERSION, type Trace } from '../trace/schema'
import { selectSpans } from '../trace/select'
import { tightSnapshots } from '../trace/tight-snapshots'
import { typicalRepeats } from '../trace/typical-repeats'
import { compactFile, expandFile } from './link/compact'

export const MAX_LINK_CHARACTERS = 32_000
const CHECK_CHARACTERS = 6

/** The run as text, however long. */
export async function runLinkText(run: SavedRun): Promise<string> {
  const file = readFile(encodeRun(run))
  if (!file.ok) throw new Error(file.error.message) // what was encoded can be read
  const data = toLetters(await deflateBytes(compactFile(file.value.file)))
  return `${String(file.value.version)}${checksum(data)}${data}`
}

export interface RunLink {
  readonly text: string
  /** Null: the whole run; else what is left out, in a sentence. */
  readonly leftOut: string | null
}

export interface LinkOptions {
  readonly maxCharacters?: number
  /** Figures of the whole trace that a page would otherwise work out from the part in the link. */
  readonly carried?: string
}

/** The whole run where it fits; else its trace is cut, and never its report: first what no figure is taken from, then repeats. */
export async function shortRunLink(
  run: SavedRun,
  { maxCharacters = MAX_LINK_CHARACTERS, carried }: LinkOptions = {},
): Promise<Result<RunLink, string>> {
  const { report } = run
  const whole = await runLinkText(run)
  if (whole.length <= maxCharacters) return await ifItOpens({ text: whole, leftOut: null })
  for (const { trace, leftOut } of cuts(run.trace)) {
    const derived = { ...trace.info.derived, [LEFT_OUT]: leftOut, ...(carried ? { [CARRIED]: carried } : {}) }
    const text = await runLinkText({ trace: { ...trace, info: { ...trace.info, derived } }, report })
    if (text.length <= maxCharacters) return await ifItOpens({ text, leftOut })
  }
  const size = (whole.length / 1000).toFixed(0)
  return fail(
    `This run is too large for a link: ${size},000 characters, and an address bears ${String(maxCharacters / 1000)},000. Save the file instead.`,
  )
}

/** A link that this page would refuse is not handed out: few characters may inflate to more than a link may. */
async function ifItOpens(link: RunLink): Promise<Result<RunLink, string>> {
  const opened = await openRunLink(link.text)
  if (opened.ok) return succeed(link)
  return fail(`This run cannot be put into a link. ${opened.error.message} Save the file instead.`)
}

export interface CutTrace {
  readonly trace: Trace
  readonly leftOut: string
}

/** Ever less of a trace: counted repeats only, then half as many again and again, the most typical of each variant to the last. */
export function* cuts(trace: Trace): Generator<CutTrace> {
  const { spans } = trace
  const variants = new Map<number, readonly number[]>()
  for (let row = 0; row < spans.length; row += 1) {
    const variant = spans.variant[row] ?? -1
    if (variant >= 0 && !variants.has(variant)) variants.set(variant, typicalRepeats(trace, variant))
  }
  const most = Math.max(0, ...[...variants.values()].map(({ length }) => length))
  for (let count = most; count >= 1; count = count === 1 ? 0 : Math.ceil(count / 2)) {
    const kept = new Map([...variants].map(([variant, all]) => [variant, new Set(all.slice(0, count))]))
    yield cutTo(trace, kept, count, most)
  }
}

function cutTo(
  trace: Trace,
  kept: ReadonlyMap<number, ReadonlySet<number>>,
  count: number,
  most: number,
): CutTrace {
  const { spans } = trace
  const isKept = (row: number) => kept.get(spans.variant[row] ?? -1)?.has(spans.repeat[row] ?? -1) ?? false
  let [from, to] = [Infinity, -Infinity]
  for (let row = 0; row < spans.length; row += 1) {
    const lane = trace.lanes[spans.lane[row] ?? -1]
    if (!isKept(row) || trace.clocks[lane?.clock ?? -1]?.kind !== 'host') continue
    from = Math.min(from, spans.start[row] ?? Infinity)
    to = Math.max(to, spans.end[row] ?? -Infinity)
  }
  const part = selectSpans(trace, { span: isKept, range: [from, to] })
  const repeats =
    count === most ? '' : `, and all but ${String(count)} of ${String(most)} repeats of each variant,`
  return {
    // Few of the clocks' snapshots are tight; the fit of those is the fit of all, so nothing moves.
    trace: { ...part, snapshots: tightSnapshots(part.snapshots) },
    leftOut: `The link holds every figure of the run and part of its trace: calibration, probes and warm-up${repeats} are left out.`,
  }
}

export type BadLink = Pick<BadFile, 'code' | 'message'>

/** Never throws: a link may have been cut, changed, or written by anyone. */
export async function openRunLink(text: string): Promise<Result<SavedRun, BadLink>> {
  const damaged = (what: string): Result<never, BadLink> =>
    fail({ code: 'damaged', message: `The link is damaged: ${what}. Ask for it anew, or for the file.` })
  if (text === '') return damaged('it holds no run')
  try {
    check('linkCharacters', text.length)
    return await open(text, damaged)
  } catch (thrown) {
    if (thrown instanceof OverBudget)
      return fail({ code: 'too-large', message: tooLarge('The link', thrown) })
    return damaged(thrown instanceof Error ? thrown.message.replace(/\.$/, '') : 'it cannot be read')
  }
}

/** Throws OverBudget, or what says in a few words how it is damaged. */
async function open(
  text: string,
  damaged: (what: string) => Result<never, BadLink>,
): Promise<Result<SavedRun, BadLink>> {
  const version = /^[1-9]/.test(text) ? Number(text[0]) : 0
  if (version === 0) return damaged('it does not begin as a link of the lab does')
  if (version > TRACE_VERSION)
    return fail({
      code: 'too-new',
      message: 'The link is of a later version than this page. Reload the page for a newer lab.',
    })
  const data = text.slice(1 + CHECK_CHARACTERS)
  if (checksum(data) !== text.slice(1, 1 + CHECK_CHARACTERS))
    return damaged('it was cut or changed on its way')
  const bytes = fromLetters(data)
  if (!bytes) return damaged('it holds letters that no link has')
  const file = expandFile(await inflateBytes(bytes))
  const run = await decodeRun(writeFile(version, file), { origin: 'imported' })
  if (run.ok) return run
  const { code, message } = run.error
  if (code === 'too-large') return fail({ code, message: message.replace(/^The file/, 'The link') })
  return damaged(message.replace(/^The file is damaged: |\.$/g, ''))
}

/** base64url without padding (RFC 4648 §5). */
function toLetters(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromLetters(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0))
}

/** 32 bits in six letters: notices a cut or a changed letter, no more is asked. */
function checksum(text: string): string {
  const bits = fnv1a(text)
  return toLetters(Uint8Array.of(bits >>> 24, bits >>> 16, bits >>> 8, bits)).slice(0, CHECK_CHARACTERS)
}
