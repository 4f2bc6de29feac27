/**
 * `npm run lab -- record URL`: the WebGPU of any page in a headless Chromium, its frames and
 * workers with it, by the recorder that the site has as recorder.js. What is written is read by
 * `analyze` and 'Open a trace' as any other run.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { setTimeout as pause } from 'node:timers/promises'
import { union } from '../src/analysis/intervals'
import { plain } from '../src/base/figures'
import { traceEventParts } from '../src/trace/formats/trace-event'
import { decodeRun } from '../src/trace/codec'
import { SPAN_KINDS, type Trace } from '../src/trace/schema'
import { recorderScript } from '../vite/recorder-file'
import { adapterFlags, EXACT_TIMESTAMPS_FLAG } from './adapters.mjs'
import { ensureBrowser } from './browsers.mjs'
import { chooseAdapter } from './choose-adapter'
import { folderFor, makeFolder } from './out-folder'
import { pageFailures, died, pageText } from './record-report'
import { openTargets, type Realm, type Targets, type TraceEvent } from './page-targets'
import type { RecordArguments } from './record-arguments'
import { reported, type Reported } from './reported-page'
import { ranWithin, samplesOf } from './script-samples'
import { CommandError, inert, say } from './terminal.mjs'

const POLL_MS = 100
/** Under which a page that looks for it finds the recorder. */
const NAME = `Symbol.for('host-device-lab.recorder')`
/** Bytes made text in one call: one by one they hold a page up for longer than all else. */
const AT_ONCE = 8192
/**
 * What saves it is taken before the page's first line: pages replace functions of the language,
 * some with what does less.
 */
const scriptOf = (recorder: string): string =>
  `{${recorder}
if ('GPUQueue' in globalThis && !(${NAME} in globalThis)) {
  const { btoa, Uint8Array } = globalThis
  const { fromCharCode } = String
  const { apply } = Reflect
  const { subarray } = Uint8Array.prototype
  const textOf = (bytes) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += ${String(AT_ONCE)})
      text += apply(fromCharCode, null, apply(subarray, bytes, [at, at + ${String(AT_ONCE)}]))
    return btoa(text)
  }
  const saved = async () => textOf(new Uint8Array(await (await recorder.save()).arrayBuffer()))
  const kept = () => {
    const bytes = recorder.soFar()
    return bytes && textOf(bytes)
  }
  const begun = { name: 'host-device-lab ' + Math.random(), ms: 0 }
  Object.defineProperty(globalThis, ${NAME}, { value: { ...recorder, saved, kept, begun }, configurable: true })
  recorder.start()
  begun.ms = performance.mark(begun.name).startTime
  performance.clearMarks(begun.name)
}}`.replace('{var recorder', '{let recorder')
/** The recording in base64; null where there is no WebGPU. */
const SAVE = `globalThis[${NAME}]?.saved() ?? null`
/** The mark by which the browser's own trace has the realm's thread and clock. */
const BEGUN = `globalThis[${NAME}]?.begun ?? null`
/** What there is of it; null too where it is much. */
const KEEP = `globalThis[${NAME}]?.kept() ?? null`
/**
 * When that is asked for first, and then after twice the time each: a page is held up ever less.
 */
const KEEP_FROM_MS = 1000

type Keeper = ReturnType<typeof keeping>

function keeping(targets: Targets) {
  const startMs = Date.now()
  /** Recordings that are not ended, of realms that may not live to their end. */
  const kept = new Map<string, { readonly text: string; readonly afterMs: number }>()
  let nextMs = KEEP_FROM_MS
  return {
    /** Where it is time; not waited for: a realm that never yields does not answer. */
    look: (): void => {
      const afterMs = Date.now() - startMs
      if (afterMs < nextMs) return
      nextMs = 2 * afterMs
      for (const realm of targets.realms())
        targets.evaluate(realm, KEEP).then(
          (text) => {
            if (typeof text === 'string') kept.set(keyOf(realm), { text, afterMs })
          },
          () => undefined, // it is gone
        )
    },
    of: (realm: Realm) => kept.get(keyOf(realm)),
  }
}

const keyOf = ({ session, context }: Realm): string => `${session} ${String(context)}`

/** Until the time is over, or the expression is true. @returns whether it was */
async function watch(
  targets: Targets,
  { seconds, click, until }: RecordArguments,
  keeper: Keeper,
): Promise<boolean> {
  const endMs = Date.now() + seconds * 1000
  let isClicked = click === null
  /** Of an expression that throws: what it names may be still to come. */
  let why = ''
  const holds = async (expression: string): Promise<boolean> => {
    try {
      why = ''
      return (await targets.inPage(`Boolean(${expression})`)) === true
    } catch (thrown) {
      why = ` ${thrown instanceof Error ? thrown.message.replace(/\.$/, '') : ''}.`
      return false
    }
  }
  while (Date.now() < endMs) {
    if (!isClicked)
      isClicked = await holds(
        `(() => { const found = document.querySelector(${JSON.stringify(click)}); found?.click(); return found !== null })()`,
      )
    if (isClicked && until !== null && (await holds(until))) return true
    keeper.look()
    await pause(POLL_MS)
  }
  if (!isClicked) throw new CommandError(`Nothing on the page matches '${click ?? ''}'.${why}`)
  if (until !== null) say(`note: '${inert(until)}' was not true within ${String(seconds)} s.${inert(why)}`)
  return false
}

const SUBMIT = SPAN_KINDS.indexOf('submit')
/** When each began, s of the recording. */
const submitsIn = ({ spans }: Trace): readonly number[] =>
  [...spans.start.subarray(0, spans.length)].flatMap((startNs, span) =>
    spans.kind[span] === SUBMIT ? [startNs / 1e9] : [],
  )

/**
 * Tasks of a realm's thread, and the functions in them, by its performance.now(), into its
 * recording. Where the browser has no trace, it has none.
 */
async function addTasks(targets: Targets, realm: Realm, events: readonly TraceEvent[]): Promise<void> {
  const begun = (await targets.evaluate(realm, BEGUN)) as Begun | null
  const mark = begun && events.find(({ name }) => name === begun.name)
  if (!mark) return
  const zeroUs = mark.ts - begun.ms * 1e3
  const tasks = union(
    events.flatMap(({ name, pid, tid, ts, dur = 0 }) => {
      if (!TASKS.includes(name) || pid !== mark.pid || tid !== mark.tid || dur < LEAST_TASK_US) return []
      const start = (ts - zeroUs) / 1e3
      return [{ start, end: start + dur / 1e3 }]
    }),
  )
  const profile = await targets.profile(realm)
  const ran = profile ? ranWithin(samplesOf(profile), zeroUs, tasks) : []
  const given = [tasks.map(({ start, end }) => [start, end]), ran].map((each) => JSON.stringify(each))
  await targets.evaluate(realm, `globalThis[${NAME}].addTasks(${given.join(', ')})`)
}

/** Most errors of the page that are printed. */
const MOST_ERRORS = 3

interface Begun {
  readonly name: string
  readonly ms: number
}
/**
 * Chromium's names for a task of a thread that has a task queue, and for what follows an awaited
 * promise: WebGPU's answers come outside of such tasks.
 */
const TASKS = ['ThreadControllerImpl::RunTask', 'BlinkScheduler_PerformMicrotaskCheckpoint']
const LEAST_TASK_US = 1000

type Saved = Awaited<ReturnType<typeof savedIn>>

/** @throws Error where it is no recording */
async function savedIn(bytes: Buffer) {
  const run = await decodeRun(bytes)
  if (!run.ok) throw new Error(run.error.message)
  const { trace } = run.value
  return { bytes, trace, submits: submitsIn(trace) }
}

/** 'none' where the realm has no WebGPU, 'lost' where it was not recorded, which is said. */
async function savedOf(
  targets: Targets,
  realm: Realm,
  events: readonly TraceEvent[],
): Promise<Saved | 'none' | 'lost'> {
  try {
    if (await targets.release(realm))
      say(`note: ${inert(realm.url)} never yielded to its events. It was ended to read the recording.`)
    await addTasks(targets, realm, events)
    const text = await targets.evaluate(realm, SAVE)
    return typeof text === 'string' ? await savedIn(Buffer.from(text, 'base64')) : 'none'
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    say(`note: ${inert(realm.url)} was not recorded: ${inert(why.replace(/^Error: /, ''))}`)
    return 'lost'
  }
}

/** Of realms that are no more, what was kept, and in words what was not. */
async function keptOf(targets: Targets, keeper: Keeper): Promise<readonly (Saved | 'lost')[]> {
  const said = new Set<string>()
  const all: (Saved | 'lost')[] = []
  for (const realm of targets.gone()) {
    const kept = keeper.of(realm)
    const saved = kept ? await savedIn(gzipSync(Buffer.from(kept.text, 'base64'))) : 'lost'
    all.push(saved)
    said.add(
      `note: ${inert(realm.url)} ${realm.how === 'crashed' ? 'crashed' : 'was gone by the end'}: what it did ${kept ? `after ${plain(kept.afterMs / 1000, 2)} s is lost, and with it times of the device that were not read by then` : 'until then is lost'}.`,
    )
  }
  for (const each of said) say(each)
  return all
}

/** Why there is nothing to show; the first that holds. @param seconds null: --until ended it */
function whyNothing(saved: readonly Saved[], lost: number, seconds: number | null): string {
  const later =
    seconds === null
      ? 'If it begins later, wait for it with --until.'
      : `If it begins later than ${String(seconds)} s, record longer with --seconds.`
  const sum = (name: string) =>
    saved.reduce((all, { trace }) => all + Number(trace.info.derived[name] ?? 0), 0)
  if (lost > 0) return 'left no recording to read.'
  if (saved.length === 0) return 'has no WebGPU: the page is not secure, or the browser has none.'
  if (sum('adaptersAsked') === 0) return `used no WebGPU: no adapter was asked for. ${later}`
  if (sum('adaptersGiven') === 0) return 'asked for an adapter, and got none.'
  return `submitted no work. If it begins at a click, use --click SELECTOR. ${later}`
}

/** Records a page, its frames and its workers: each that submitted work, the busiest first. */
async function recorded(targets: Targets, args: RecordArguments): Promise<readonly Saved[]> {
  const { url } = args
  const endTrace = await targets.trace()
  await targets.open(url)
  const keeper = keeping(targets)
  const seconds = (await watch(targets, args, keeper)) ? null : args.seconds
  const errors = [...new Set(targets.errors())]
  for (const error of errors.slice(0, MOST_ERRORS)) say(`note: the page ${inert(error)}`)
  if (errors.length > MOST_ERRORS) say(`note: ${String(errors.length - MOST_ERRORS)} more such notes.`)
  const events = await endTrace()
  const living = await Promise.all(targets.realms().map((realm) => savedOf(targets, realm, events)))
  const realms = [...living, ...(await keptOf(targets, keeper))]
  const saved = realms
    .filter((each) => typeof each !== 'string')
    .sort((a, b) => b.submits.length - a.submits.length)
  const lost = realms.filter((each) => each === 'lost').length
  const worked = saved.filter(({ submits }) => submits.length > 0)
  if (worked.length === 0) throw new CommandError(`${url} ${whyNothing(saved, lost, seconds)}`)
  const firstS = Math.min(...worked.flatMap(({ submits }) => submits[0] ?? []))
  if (seconds !== null && firstS > seconds / 2)
    say(`note: the work started after ${plain(firstS, 2)} s: record longer with --seconds.`)
  return worked
}

/** @param browserOf path of a Chrome or Chromium */
export async function record(args: RecordArguments, browserOf = ensureBrowser): Promise<number> {
  const { adapter, failIf } = args
  const out = args.out ?? folderFor('record')
  await makeFolder(out)
  const browser = await browserOf()
  const flags = [...adapterFlags(await chooseAdapter(adapter, browser)), EXACT_TIMESTAMPS_FLAG]
  const targets = await openTargets(browser, flags, scriptOf(await recorderScript('iife')))
  try {
    const worked = await recorded(targets, args)
    const all: Reported[] = []
    for (const [index, { bytes, trace }] of worked.entries()) {
      const suffix = index === 0 ? '' : `-${String(index + 1)}`
      const file = (name: string, ending: string) => join(out, `${name}${suffix}.${ending}`)
      await writeFile(file('run', 'hdl.gz'), bytes)
      await writeFile(file('trace', 'json'), traceEventParts(trace))
      const each = await reported(file('run', 'hdl.gz'))
      all.push(each)
      const { report } = each
      await writeFile(file('report', 'json'), `${JSON.stringify(report, null, 2)}\n`)
      console.log(inert(`${String(trace.info.params['in'])} ${report.url}\n${pageText(report)}\n`))
      console.log(`written  ${file('run', 'hdl.gz')}  ${file('trace', 'json')}  ${file('report', 'json')}`)
    }
    const failed = pageFailures(failIf, all)
    for (const line of failed) console.log(inert(line))
    const hasDied = all.some(({ report }) => died(report).length > 0)
    return failed.length === 0 && !hasDied ? 0 : 1
  } finally {
    await targets.close()
  }
}
