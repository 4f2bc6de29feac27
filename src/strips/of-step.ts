/**
 * One step of a profile, as the replay plays it, as an excerpt: threads of the host, streams of the
 * device.
 */
import { WAIT, type Marks, type StepPicture } from '../analysis/replay/step-picture'
import { SPAN_KINDS, type SpanKind } from '../trace/schema'
import { plainBar, plainStrip, type Basis, type Excerpt, type ExcerptBar, type ExcerptRow } from './excerpt'

/** More threads or streams than these are not drawn. */
const MOST_ROWS = 4
/** A bar wider than this loses a pixel at its end, so that two blocks are told apart, px. */
const SEAM_FROM = 4

export interface StepCut {
  readonly basis: Basis
  readonly pxPerNs: number
  /** Name of a block of the host. */
  readonly nameOf: (block: number) => string
}

function barsOf(
  { startNs, endNs, of, share }: Marks,
  pxPerNs: number,
  lookOf: (what: number) => Pick<ExcerptBar, 'kind' | 'name' | 'label'>,
): readonly ExcerptBar[] {
  return of.map((what, at) => {
    const [from, to] = [startNs[at] ?? 0, endNs[at] ?? 0]
    const seamNs = (to - from) * pxPerNs > SEAM_FROM ? 1 / pxPerNs : 0
    return plainBar('compute', from, to - seamNs, { share: share[at] ?? 1, ...lookOf(what) })
  })
}

const streamKind = (kind: number): SpanKind => {
  const known = SPAN_KINDS[kind]
  return known === 'transfer' || known === 'collective' ? known : 'compute'
}

/** Between the marks of a row, and around them. */
const gapsOf = ({ startNs, endNs }: Marks, lengthNs: number): ExcerptRow['idle'] =>
  [0, ...endNs].map((from, at) => ({ startNs: from, endNs: startNs[at] ?? lengthNs, cause: null, gap: -1 }))

/**
 * The first row is the main thread. Of several streams one without work is no idle GPU: only where
 * all are empty.
 */
export function excerptOfStep(picture: StepPicture, { basis, pxPerNs, nameOf }: StepCut): Excerpt {
  const { lengthNs, threads, streams, busy } = picture
  const idle = gapsOf(busy, lengthNs)
  const rows = [
    ...threads.slice(0, MOST_ROWS).map((marks): ExcerptRow => {
      const bars = barsOf(marks, pxPerNs, (block) =>
        block === WAIT
          ? { kind: 'host-wait', name: 'waits' }
          : { kind: 'host-work', name: nameOf(block), label: nameOf(block) },
      )
      return { kind: 'host', name: 'thread', group: 'host', bars, idle: [] }
    }),
    ...(streams.length > 0 ? streams.slice(0, MOST_ROWS) : [busy]).map((marks): ExcerptRow => ({
      kind: 'device',
      name: 'stream',
      group: 'device',
      bars: barsOf(marks, pxPerNs, (kind) => ({ kind: streamKind(kind), name: '' })),
      idle,
    })),
  ]
  const strip = plainStrip(rows, lengthNs, { basis, stepsEnded: 1 })
  return { lengthNs, strips: [strip], isDeviceTimed: true }
}
