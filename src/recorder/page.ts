/**
 * `recorder.js`: records the WebGPU of any page or worker that loads it. Nothing is patched until
 * `start`, and after `stop` everything is as before. It records devices that are made while it is
 * on, and a device made before from its next command encoder or buffer on.
 */
import { measureHostClockStepUs } from '../base/host-clock'
import { encodeRun } from '../trace/encode-run'
import type { Trace } from '../trace/schema'
import { CallSites } from './call-sites'
import { Counts } from './counts'
import { PageFacts, pageInfo } from './page-info'
import type { PagePart, Patch } from './patches'
import { startRecording, type RecordingSession } from './session'
import { framesOf, type Frames } from './frames'
import type { Recorded } from './api-patches'
import { tasksOf, type Ran, type Tasks } from './tasks'
import { timersOf } from './timers'

interface StartOptions {
  /** False: passes get no timestamps, and the trace has no lane of a device. Default: true. */
  readonly timestamps?: boolean | undefined
}

/**
 * Timestamps are read this often, ms: a device that ends takes the others with it, and it has
 * room for 32,768 passes.
 */
const READ_MS = 250

/** A window of the lab must answer within this time. */
const PATIENCE_MS = 30_000
/** What a window of the lab says once it can hear. */
interface Said {
  readonly hostDeviceLab?: unknown
}

/**
 * At most so many spans are copied and encoded while a page waits: with 2 MB of text some 20 ms.
 */
const MOST_IN_PASSING = 2 ** 15

const { setInterval: every, clearInterval: never } = globalThis

class PageRecording {
  readonly session: RecordingSession
  readonly #sites = new CallSites()
  readonly #facts = new PageFacts()
  readonly #timer: ReturnType<typeof setInterval>
  #frames: Frames | null = null
  #tasks: Tasks | null = null
  #parts: readonly PagePart[] = []
  #collecting: Promise<void> | null = null

  constructor({ timestamps = true }: StartOptions) {
    this.session = startRecording({
      info: pageInfo(),
      hostStepUs: measureHostClockStepUs(),
      hostName: 'document' in globalThis ? 'host (page)' : 'host (worker)',
      stamp: timestamps ? 'passes' : 'none',
      sites: this.#sites,
      joinsWrites: true,
      callbacksWait: true,
      rows: (recorded) => this.#rows(recorded),
    })
    this.#timer = every(() => {
      // It rejects nothing: what cannot be read is counted in the trace.
      if (this.session.waitingStamps > 0 && !this.#collecting) this.#collect().catch(() => undefined)
    }, READ_MS)
  }

  addTasks(times: readonly (readonly [startMs: number, endMs: number])[], ran: readonly Ran[]): void {
    this.#tasks?.add(times.map(([startMs, endMs]) => ({ startMs, endMs })))
    this.#tasks?.addScripts(ran)
  }

  mark(name: string): void {
    this.session.builder.addInstant({ lane: this.session.hostLane, time: this.session.now(), name })
  }

  async stop(): Promise<Trace> {
    never(this.#timer)
    await this.#collect()
    await this.#collect()
    for (const part of this.#parts) part.end()
    this.session.stop()
    return this.#trace()
  }

  /** Of what timestamps are still to be read, no time of the device. */
  soFar(): Trace {
    const trace = this.#trace()
    return this.#frames?.into(trace) ?? trace
  }

  #trace(): Trace {
    const { builder, replaced } = this.session
    const frames = this.#frames?.count() ?? 0
    const info = this.#facts.into(builder.info, { frames, replaced, sites: this.#sites })
    return { ...builder.freeze(), info }
  }

  /** One after the other: each reads what was submitted until it began. */
  async #collect(): Promise<void> {
    await this.#collecting
    this.#collecting = this.session.collect()
    await this.#collecting
    this.#collecting = null
  }

  #rows(recorded: Recorded): readonly Patch[] {
    const { realm, writer } = recorded
    const counts = new Counts(writer)
    this.#frames = framesOf(realm, recorded, counts)
    this.#tasks = tasksOf(writer)
    this.#parts = [this.#frames, timersOf(realm, writer), this.#tasks]
    return [
      ...counts.patches(realm),
      ...this.#parts.flatMap(({ patches }) => patches),
      ...this.#facts.patches(realm, writer),
    ]
  }
}

let active: PageRecording | null = null
function recording(): PageRecording {
  if (!active) throw new Error('Nothing is being recorded.')
  return active
}
let last: Promise<Trace> | null = null

/** Begins to record. @throws Error where this page has no WebGPU, or is being recorded already */
export function start(options: StartOptions = {}): void {
  active = new PageRecording(options)
}

/** A moment with a name. @throws Error where nothing is being recorded */
export function mark(name: string): void {
  recording().mark(name)
}

/**
 * Takes all tasks of this thread of at least a ms from whoever traces the browser, and when each
 * function ran within them, by samples. Times by performance.now().
 *
 * @throws Error where nothing is being recorded
 */
export function addTasks(
  times: readonly (readonly [startMs: number, endMs: number])[],
  ran: readonly Ran[] = [],
): void {
  recording().addTasks(times, ran)
}

/**
 * Gives the recording so far, not gzipped, of a page that may not live to its end; null where
 * there is none, or too much to encode in passing.
 */
export function soFar(): Uint8Array<ArrayBuffer> | null {
  if (!active || active.session.builder.spanCount > MOST_IN_PASSING) return null
  return encodeRun({ trace: active.soFar(), report: null })
}

/**
 * Reads what the device still holds, puts everything back, and ends.
 *
 * @throws Error where nothing is being recorded
 */
export async function stop(): Promise<void> {
  const ending = recording()
  active = null
  last = ending.stop()
  await last
}

/**
 * Gives the recording as a file of the Host/Device Lab, gzipped: 'run.hdl.gz'. Ends it where it
 * is on.
 *
 * @throws Error where there is none
 */
export async function save(): Promise<Blob> {
  if (active) await stop()
  if (!last) throw new Error('There is no recording to save.')
  // trace/gzip.ts also checks files of others, which would be a fiftieth of recorder.js.
  const gzipped = new Blob([encodeRun({ trace: await last, report: null })])
    .stream()
    .pipeThrough(new CompressionStream('gzip'))
  return await new Response(gzipped, { headers: { 'content-type': 'application/gzip' } }).blob()
}

/**
 * Opens the recording in the lab, in a window of its own, and ends it where it is on. Nothing is
 * uploaded. The lab's page open.html takes it: browsers let no other site speak to the lab's other
 * pages, which are isolated. Called at a click.
 *
 * @param lab the address of a site that the lab is on
 * @throws Error where no window opens, the lab does not answer, or there is no recording
 */
export async function openInLab(lab: string): Promise<void> {
  const address = new URL('open.html', lab.endsWith('/') ? lab : `${lab}/`)
  if (globalThis.crossOriginIsolated)
    throw new Error('This page is isolated, and may not speak to a window of another site: save() a file.')
  const opened = globalThis.open(address.href)
  if (!opened) throw new Error('The browser did not open a window: call openInLab() at a click.')
  const isReady = new Promise<void>((resolve, reject) => {
    const patience = setTimeout(() => {
      globalThis.removeEventListener('message', hear)
      reject(new Error(`${address.href} did not answer.`))
    }, PATIENCE_MS)
    const hear = ({ source, origin, data }: MessageEvent<Said | null>) => {
      if (source !== opened || origin !== address.origin || data?.hostDeviceLab !== 'ready') return
      clearTimeout(patience)
      globalThis.removeEventListener('message', hear)
      resolve()
    }
    globalThis.addEventListener('message', hear)
  })
  const [file] = await Promise.all([save(), isReady])
  opened.postMessage({ hostDeviceLab: file }, address.origin)
}
