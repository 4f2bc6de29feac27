/**
 * `recorder.js`: records the WebGPU of any page or worker that loads it. Nothing is patched until `start`, and after `stop` everything is as
 * before. It records what devices do that are made while it is on; a device made before is met at its next command encoder or buffer.
 */
import { measureHostClockStepUs } from '../base/host-clock'
import { encodeRun } from '../trace/encode-run'
import { gzipBytes } from '../trace/gzip'
import type { Trace } from '../trace/schema'
import { CallSites } from './call-sites'
import { Counts } from './counts'
import type { Frames } from './frames'
import { PageFacts, pageInfo } from './page-info'
import type { Patch } from './patches'
import { startRecording, type RecordingSession } from './session'
import { Stretches } from './stretches'
import type { Recorded } from './table'

interface StartOptions {
  /** False: passes get no timestamps, and the trace has no lane of a device. Default: true. */
  readonly timestamps?: boolean | undefined
}

/** How often it is looked whether timestamps are to be read, ms; and from how many passes on they are. A device has room for 32,768. */
const LOOK_MS = 250
const ENOUGH_STAMPS = 4096

const { setInterval: every, clearInterval: never } = globalThis

class PageRecording {
  readonly session: RecordingSession
  readonly #sites = new CallSites()
  readonly #facts = new PageFacts()
  readonly #timer: ReturnType<typeof setInterval>
  #frames: Frames | null = null
  #collecting: Promise<void> | null = null

  constructor({ timestamps = true }: StartOptions) {
    this.session = startRecording({
      info: pageInfo(),
      hostStepUs: measureHostClockStepUs(),
      hostName: 'document' in globalThis ? 'host (page)' : 'host (worker)',
      stamp: timestamps ? 'passes' : 'none',
      looksNative: true,
      sites: this.#sites,
      joinsWrites: true,
      callbacksWait: true,
      rows: (recorded) => this.#rows(recorded),
    })
    this.#timer = every(() => {
      // It rejects nothing: what cannot be read is counted in the trace.
      if (this.session.waitingStamps >= ENOUGH_STAMPS) this.#collect().catch(() => undefined)
    }, LOOK_MS)
  }

  mark(name: string): void {
    const { builder, hostLane } = this.session
    builder.addInstant({ lane: hostLane, time: this.session.now(), name })
  }

  async stop(): Promise<Trace> {
    never(this.#timer)
    await this.#collect()
    await this.#collect()
    this.#frames?.end()
    this.session.stop()
    const { builder, replaced } = this.session
    const frames = this.#frames?.count ?? 0
    builder.info = this.#facts.into(builder.info, { frames, replaced, sites: this.#sites })
    return builder.freeze()
  }

  /** One after the other: each reads what was submitted until it began. */
  async #collect(): Promise<void> {
    await this.#collecting
    this.#collecting = this.session.collect()
    await this.#collecting
    this.#collecting = null
  }

  #rows({ realm, journal, natives }: Recorded): readonly Patch[] {
    const counts = new Counts(journal, natives)
    const { frames } = new Stretches(journal, counts)
    this.#frames = frames
    return [...counts.patches(realm), ...frames.patches(realm), ...this.#facts.patches(realm, journal)]
  }
}

let active: PageRecording | null = null
let last: Trace | null = null

/** Begins to record. @throws Error where this page has no WebGPU, or is being recorded already */
export function start(options: StartOptions = {}): void {
  if (active) throw new Error('This page is being recorded already.')
  active = new PageRecording(options)
}

/** A moment with a name. @throws Error where nothing is being recorded */
export function mark(name: string): void {
  if (!active) throw new Error('Nothing is being recorded.')
  active.mark(name)
}

/** Reads what the device still holds, puts everything back, and ends. @throws Error where nothing is being recorded */
export async function stop(): Promise<void> {
  const ending = active
  if (!ending) throw new Error('Nothing is being recorded.')
  active = null
  last = await ending.stop()
}

/** The recording as a file of the Host/Device Lab, gzipped: 'run.hdl.gz'. Ends it where it is on. @throws Error where there is none */
export async function save(): Promise<Blob> {
  if (active) await stop()
  if (!last) throw new Error('There is no recording to save.')
  return new Blob([await gzipBytes(encodeRun({ trace: last, report: null }))], { type: 'application/gzip' })
}
