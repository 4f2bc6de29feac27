/**
 * Evidence with a known truth: a trace written by hand, so that each metric can be compared with
 * what was put in.
 */
import { placeTrace } from '../../trace/place'
import { TraceBuilder } from '../../trace/builder'
import type { Metric } from '../../trace/report'
import type { SpanKind, SpanRole } from '../../trace/schema'
import { unitOfName } from '../../text/figure'
import type { Facts } from '../../text/facts'
import type { Standing } from '../declare/judge'
import type { Evidence, Window } from '../run-types'
import { testInfo } from '../../trace/testing/arbitrary-trace'

const MS = 1e6

export class FakeRun {
  readonly builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
  readonly windows: Window[] = []
  readonly #host = this.builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  #device = this.#addDevice('device')
  readonly #depth = this.builder.addCounter({ name: 'queue depth', unit: 'submissions', lane: this.#host })

  window(variant: string, repeat: number, startMs: number, endMs: number): this {
    this.windows.push({ variant, repeat, startNs: startMs * MS, endNs: endMs * MS })
    return this
  }

  host(
    kind: SpanKind,
    name: string,
    variant: string,
    repeat: number,
    startMs: number,
    endMs: number,
    role: SpanRole = kind === 'encode' || kind === 'submit' ? kind : 'none',
    bytes?: number,
  ): this {
    this.builder.addSpan({
      lane: this.#host,
      kind,
      role,
      name,
      start: startMs * MS,
      end: endMs * MS,
      variant,
      repeat,
      step: 0,
      bytes,
    })
    return this
  }

  /** Passes of `made` are another device's, whose clock begins at `zeroMs`. */
  onAnotherDevice(zeroMs: number, made: () => void): this {
    const first = this.#device
    this.#device = this.#addDevice('device 2', zeroMs)
    made()
    this.#device = first
    return this
  }

  #addDevice(name: string, zeroMs = 0) {
    const clock = this.builder.addClock({ kind: 'device', name, originMs: 0, originTick: '0', stepNs: 1 })
    return { clock, zeroMs, lane: this.builder.addLane({ kind: 'device', name, clock, group: 'device' }) }
  }

  /**
   * The device's clock runs with the host's here, and a bracket ties them: 0.1 ms before, 0.1 ms
   * after.
   */
  pass(
    variant: string,
    repeat: number,
    step: number,
    startMs: number,
    endMs: number,
    name = 'matmul 64³',
    flops?: number,
  ): this {
    const { clock, lane, zeroMs } = this.#device
    const [start, end] = [(startMs - zeroMs) * MS, (endMs - zeroMs) * MS]
    this.builder.addSpan({
      lane,
      kind: name.startsWith('copy') ? 'transfer' : 'compute',
      name,
      start,
      end,
      variant,
      repeat,
      step,
      flops,
    })
    this.builder.addSnapshot({
      clock,
      hostBeforeNs: (startMs - 0.1) * MS,
      beginTick: start,
      endTick: end,
      hostAfterNs: (endMs + 0.1) * MS,
    })
    return this
  }

  depth(timeMs: number, value: number): this {
    this.builder.addCounterSample(this.#depth, timeMs * MS, value)
    return this
  }

  evidence(over: Partial<Evidence> = {}): Evidence {
    return {
      placed: placeTrace(this.builder.freeze()),
      windows: this.windows,
      params: {},
      derived: {},
      isSoftware: false,
      hostStepNs: 5000,
      deviceStepNs: 1,
      completionLatencyMs: 1,
      ...over,
    }
  }
}

/** Facts for `judge` of a run that counts. */
export const factsOf = (metrics: readonly Metric[], evidence: Evidence): Facts & Standing => ({
  metrics,
  params: evidence.params,
  derived: evidence.derived,
  environment: {
    isSoftware: evidence.isSoftware,
    deviceClockStepNs: evidence.deviceStepNs,
    hostClockStepUs: evidence.hostStepNs / 1e3,
    completionLatencyMs: evidence.completionLatencyMs,
  },
  validity: { valid: true, reasons: [] },
  verification: { checked: 1, failed: 0 },
})

/** Metrics by 'name variant': a value, or [low, value, high]. */
export const fakeMetrics = (
  values: Readonly<Record<string, number | readonly [number, number, number] | null>>,
): readonly Metric[] =>
  Object.entries(values).map(([key, given]) => {
    const [name = '', variant = ''] = key.split(' ')
    const [low, value, high] =
      given === null ? [null, null, null] : typeof given === 'number' ? [given, given, given] : given
    return {
      name,
      variant,
      value,
      low,
      high,
      unit: unitOfName(name) ?? 'ratio',
      n: given === null ? 0 : 5,
      origin: 'derived',
    }
  })
