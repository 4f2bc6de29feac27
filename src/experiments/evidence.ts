/**
 * Reads a run's evidence by variant and repeat: the small questions that every experiment's metrics
 * ask of a placed trace. Pure. Host times in ns; device times in device ticks (ns by WebGPU's
 * definition), which need no clock fit.
 */
import { addTo } from '../base/lists'
import { SPAN_KINDS, SPAN_ROLES, type SpanKind, type SpanRole } from '../trace/schema'
import type { Evidence, Window, Derived } from './run-types'

/** Spans are found by these conditions. Each that is given must hold. */
export interface SpanQuery {
  readonly kind?: SpanKind
  readonly role?: SpanRole
  /**
   * True: it takes only passes that were annotated with their floating-point operations, as the
   * lab's matmul annotates its own.
   */
  readonly withFlops?: boolean
  /** True: it leaves out what another thread did for the program, as a loader's worker does. */
  readonly onProgramThread?: boolean
}

/** Spans of one variant, by repeat (≥ 0), each in the order recorded. */
export class VariantSpans {
  readonly #evidence: Evidence
  readonly #byRepeat = new Map<number, number[]>()

  constructor(evidence: Evidence, variant: string) {
    this.#evidence = evidence
    const { spans, strings } = evidence.placed.trace
    const wanted = strings.indexOf(variant)
    for (let span = 0; span < spans.length; span += 1) {
      const repeat = spans.repeat[span] ?? -1
      if (repeat < 0 || spans.variant[span] !== wanted) continue
      addTo(this.#byRepeat, repeat, span)
    }
  }

  get repeats(): readonly number[] {
    return [...this.#byRepeat.keys()].sort((a, b) => a - b)
  }

  /** Indices of the repeat's spans that match. */
  find(repeat: number, { kind, role, withFlops, onProgramThread }: SpanQuery): readonly number[] {
    const { spans, lanes } = this.#evidence.placed.trace
    // A recorder's first host lane; other threads' are made when they first work.
    const programLane = lanes.findIndex((lane) => lane.kind === 'host')
    return (this.#byRepeat.get(repeat) ?? []).filter(
      (span) =>
        (!kind || SPAN_KINDS[spans.kind[span] ?? 0] === kind) &&
        (!role || SPAN_ROLES[spans.role[span] ?? 0] === role) &&
        (!withFlops || !Number.isNaN(spans.flops[span] ?? Number.NaN)) &&
        (!onProgramThread || spans.lane[span] === programLane),
    )
  }

  /** Lengths in the lane's own clock, ns or ticks. */
  lengths(repeat: number, query: SpanQuery): readonly number[] {
    const { spans } = this.#evidence.placed.trace
    return this.find(repeat, query).map((span) => (spans.end[span] ?? 0) - (spans.start[span] ?? 0))
  }
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const windowsOf = (evidence: Evidence, variant: string): readonly Window[] =>
  evidence.windows.filter((window) => window.variant === variant)

/** Variants in the order they were measured. */
export const variantsOf = (evidence: Evidence): readonly string[] => [
  ...new Set(evidence.windows.map((window) => window.variant)),
]

/**
 * Counts by name as one derived value, 'cpu-64=12 upload=4': prepare.ts writes it, samplers read
 * it.
 */
export const writeCounts = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${String(name)}=${String(count)}`).join(' ')

export const readCounts = (text: Derived[string] | undefined): ReadonlyMap<string, number> =>
  new Map(
    [...String(text ?? '').matchAll(/(\S+)=([1-9]\d*)(?= |$)/g)].map(([, name = '', count]) => [
      name,
      Number(count),
    ]),
  )
