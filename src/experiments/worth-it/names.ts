/** What verdict.md calls variants and words by: the sizes that its sentences are about, and how the CPU's side was computed. Pure. */
import { curveOf } from '../declare/sizes'
import { findMetric } from '../../trace/report'
import { isBelow, type Facts, type Names } from '../../text/facts'
import { askedOf, CPU, sizeAt, RESIDENT, ROUND_TRIP, variantOf, type Place } from './variants'

export function namesOf({ metrics, derived }: Facts): Names {
  /** Sizes at which a metric of a place is known, ascending. */
  const sizesWith = (name: string, place: Place): readonly number[] =>
    curveOf(metrics, name, sizeAt(place))
      .filter(({ value }) => value > 0)
      .map(({ n }) => n)
  const time = (place: Place, n: number) => findMetric(metrics, 'time-ms', variantOf(place, n))
  const isAhead = (one: Place, other: Place) => (n: number) => isBelow(time(one, n), time(other, n))
  const named = (place: Place, n: number | undefined) => (n === undefined ? null : variantOf(place, n))
  const square = (n: number | undefined) => (n === undefined ? null : `${String(n)} × ${String(n)}`)
  const text = (name: string) => String(derived[name] ?? '') || null
  const sizesIn = (name: string): readonly string[] => text(name)?.split(' ') ?? []
  const tooSlow = sizesIn('sizesLeftOut')
  const listed = (sizes: readonly string[]) => sizes.join(', ') || null

  const trips = sizesWith('time-ms', ROUND_TRIP)
  const onCpu = sizesWith('time-ms', CPU)
  const both = trips.filter((n) => onCpu.includes(n))
  const [first, last] = [both[0], both.at(-1)]
  const [cpuWins, deviceWins] = [both.find(isAhead(CPU, ROUND_TRIP)), both.find(isAhead(ROUND_TRIP, CPU))]
  const shares = sizesWith('kernel-share', ROUND_TRIP)
  const asked = askedOf(shares)
  const rates = sizesWith('gflops', RESIDENT)
  const threads = Number(derived['processorThreads'])
  return {
    cpuFirst: named(CPU, first),
    tripFirst: named(ROUND_TRIP, first),
    cpuLast: named(CPU, last),
    tripLast: named(ROUND_TRIP, last),
    first: square(first),
    last: both.length > 1 ? square(last) : null,
    largest: square(last),
    cpuWins: named(CPU, cpuWins),
    deviceWins: named(ROUND_TRIP, deviceWins),
    cpuTop: named(CPU, sizesWith('gflops', CPU).at(-1)),
    residentTop: named(RESIDENT, rates.at(-1)),
    asked: named(ROUND_TRIP, asked),
    askedSize: square(asked),
    library: text('processorLibrary'),
    threads: threads === 1 ? 'one thread' : `${String(threads)} threads`,
    poorly: text('processorNote'),
    tooSlow: listed(tooSlow),
    skipped: listed(sizesIn('sizesSkipped').filter((size) => !tooSlow.includes(size))),
  }
}
