/** Small made-up runs with known answers, in milliseconds of host time. Test code only. */
import { TraceBuilder, type NewSpan } from '../../trace/builder'
import { placeTrace, type PlacedTrace } from '../../trace/place'
import type { RunInfo, SpanKind } from '../../trace/schema'
import type { Gap } from '../../trace/gaps'

export const MS = 1e6

export const SCENE_INFO: RunInfo = {
  experiment: 'scene',
  params: {},
  derived: {},
  adapter: null,
  userAgent: 'test',
  crossOriginIsolated: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  origin: 'live',
}

export interface SceneOptions {
  /** Half-width of the clock's band, ms. Null: no brackets, so no fit. */
  readonly boundMs?: number | null
  readonly deviceStepNs?: number
}

type Tag = Partial<Pick<NewSpan, 'role' | 'variant' | 'repeat' | 'step' | 'submission' | 'bytes' | 'flops'>>

/** The device's tick 0 is host time 1 s: no test can mix up the two clocks unnoticed. */
const TICK_ZERO_MS = 1000

export class Scene {
  readonly builder: TraceBuilder
  readonly #options: SceneOptions
  readonly host = 0
  readonly staging = 1
  readonly device = 2
  tag: Tag = { variant: 'v', repeat: 0 }

  constructor(options: SceneOptions = {}) {
    this.#options = options
    this.builder = new TraceBuilder(SCENE_INFO, { originMs: 0, stepNs: 5000 })
    const stepNs = options.deviceStepNs ?? 1
    const clock = this.builder.addClock({
      kind: 'device',
      name: 'device',
      originMs: 0,
      originTick: '77',
      stepNs,
    })
    this.builder.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' })
    this.builder.addLane({ kind: 'staging', name: 'staging 0', clock: 0, group: 'staging' })
    this.builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' })
  }

  onHost(kind: SpanKind, name: string, startMs: number, endMs: number, tag: Tag = {}): number {
    const at = { lane: this.host, start: startMs * MS, end: endMs * MS }
    return this.builder.addSpan({ kind, name, ...at, ...this.tag, ...tag })
  }

  submit(submission: number, startMs: number, endMs = startMs + 0.05): number {
    return this.onHost('submit', `submit ${String(submission)}`, startMs, endMs, { submission })
  }

  /** A pass that the device truly ran at these host times. */
  pass(
    submission: number,
    startMs: number,
    endMs: number,
    tag: Tag = {},
    kind: SpanKind = 'compute',
  ): number {
    const tick = (ms: number) => Math.round((ms - TICK_ZERO_MS) * MS)
    const at = { lane: this.device, start: tick(startMs), end: tick(endMs), submission }
    return this.builder.addSpan({
      kind,
      name: kind === 'compute' ? 'matmul' : 'copy',
      ...this.tag,
      ...at,
      ...tag,
    })
  }

  upload(submission: number, startMs: number, endMs: number, bytes: number): number {
    const filled = this.builder.addSpan({
      lane: this.staging,
      kind: 'staging-filled',
      name: 'filled',
      start: 0,
      end: 1,
    })
    const copy = this.pass(submission, startMs, endMs, { bytes }, 'transfer')
    this.builder.addFlow(filled, copy, 'upload')
    return copy
  }

  place(): PlacedTrace {
    const boundMs = this.#options.boundMs === undefined ? 0.01 : this.#options.boundMs
    if (boundMs !== null)
      for (const tick of [-1e9, 0, 1e9]) {
        const hostNs = tick + TICK_ZERO_MS * MS
        this.builder.addSnapshot({
          clock: 1,
          hostBeforeNs: hostNs - boundMs * MS,
          beginTick: tick,
          endTick: tick,
          hostAfterNs: hostNs + boundMs * MS,
        })
      }
    return placeTrace(this.builder.freeze())
  }
}

/** Gaps are read through accessors of their class, which a spread does not copy. */
export const plainGap = (gap: Gap): Gap => ({
  lane: gap.lane,
  startNs: gap.startNs,
  endNs: gap.endNs,
  deviceStartNs: gap.deviceStartNs,
  durationNs: gap.durationNs,
  cause: gap.cause,
  evidence: gap.evidence,
  spans: gap.spans,
  before: gap.before,
  after: gap.after,
  variant: gap.variant,
  repeat: gap.repeat,
})
