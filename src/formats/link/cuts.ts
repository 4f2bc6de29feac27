import { tightSnapshots } from '../../trace/tight-snapshots'
import { selectSpans } from '../../trace/select'
import type { Trace } from '../../trace/schema'
import { typicalRepeats } from '../../trace/typical-repeats'

interface CutTrace {
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
