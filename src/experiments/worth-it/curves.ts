/** Times by size, as curves, and the crossovers and predictions that follow from them. Pure. */
import type { Metric } from '../../trace/report'
import type { DerivedSampler, View } from '../declare/metric'
import { variantsOf } from '../evidence'
import { findCrossover, type Crossing, type Crossover, type Timed } from './crossover'
import { predict, type Bounded } from './rule'
import {
  CPU,
  LATENCY,
  parseVariant,
  PLACES,
  READBACK,
  RESIDENT,
  sizedVariant,
  UPLOAD,
  type Place,
} from './variants'

type Get = View<unknown>['get']

/** Sizes that were run at this place, ascending. */
export const sizesOf = (variants: readonly string[], place: Place): readonly number[] =>
  variants
    .flatMap((variant) => {
      const sized = parseVariant(variant)
      return sized?.place === place ? [sized.n] : []
    })
    .toSorted((a, b) => a - b)

const boundsOf = (metric: Metric | undefined): Bounded | null => {
  if (metric?.value == null || !Number.isFinite(metric.value)) return null
  const { value, low, high } = metric
  return { value, low: low ?? value, high: high ?? value }
}

/** The curve of one place. */
export const curveOf = (variants: readonly string[], get: Get, place: Place): readonly Timed[] =>
  sizesOf(variants, place).flatMap((n) => {
    const bounds = boundsOf(get('time-ms', sizedVariant(place, n)))
    return bounds ? [{ n, ...bounds }] : []
  })

const sizeAt = (crossing: Crossing): number | null => (crossing.kind === 'at' ? crossing.n : null)

/** Size from which on the variant's place is faster than the CPU. */
export const crossover: DerivedSampler<unknown> = {
  kind: 'derived',
  quantity: 'count',
  origin: 'derived',
  derive: ({ evidence, variant, get }, named) => {
    const challenger = PLACES.find((place) => place === variant) ?? RESIDENT
    const variants = variantsOf(evidence)
    const found = findCrossover(curveOf(variants, get, CPU), curveOf(variants, get, challenger))
    const value = found ? sizeAt(found.value) : null
    const counts = ([CPU, challenger] as const).map(
      (place) => get('time-ms', sizedVariant(place, sizesOf(variants, place).at(-1) ?? 0))?.n ?? 0,
    )
    const note = noteOf(found)
    return {
      ...named,
      value,
      low: value !== null && found ? sizeAt(found.earliest) : null,
      high: value !== null && found ? sizeAt(found.latest) : null,
      n: value === null ? 0 : Math.min(...counts),
      origin: 'derived',
      ...(note === null ? {} : { note }),
    }
  },
}

/** Why there is no crossover, or what its interval leaves open. */
function noteOf(found: Crossover | null): string | null {
  if (!found) return 'no size was run both ways'
  const [first, last] = [String(found.sizes[0]), String(found.sizes.at(-1))]
  switch (found.value.kind) {
    case 'below':
      return `the device is faster already at ${first}, the smallest size run`
    case 'above':
      return `the CPU is still faster at ${last}, the largest size run both ways`
    case 'at': {
      const open = [
        ...(found.earliest.kind === 'below' ? [`its interval may begin below ${first}`] : []),
        ...(found.latest.kind === 'above' ? [`its interval may end above ${last}`] : []),
      ]
      return open.length > 0 ? open.join('; ') : null
    }
  }
}

const INFINITE: Bounded = { value: Infinity, low: Infinity, high: Infinity }

/** The size that a rule of thumb names, from rates at the largest sizes, where overhead weighs least. */
export const ruleOfThumb = (
  kind: 'saved' | 'saved-with-latency' | 'computed',
): DerivedSampler<{ readonly uses: number }> => ({
  kind: 'derived',
  quantity: 'count',
  origin: 'derived',
  derive: ({ evidence, values, get }, named) => {
    const rateAtTop = (place: Place) => {
      const last = sizesOf(variantsOf(evidence), place).at(-1)
      return last === undefined ? null : boundsOf(get('gflops', sizedVariant(place, last)))
    }
    const [processor, device] = [rateAtTop(CPU), rateAtTop(RESIDENT)]
    const upload = boundsOf(get('upload-gb-per-s', UPLOAD))
    const readback = boundsOf(get('readback-gb-per-s', READBACK))
    const latency = get('latency-ms', LATENCY)
    const latencyMs = kind === 'saved-with-latency' ? boundsOf(latency) : null
    const rates = [processor, device, upload, readback]
    const isKnown =
      rates.every((rate) => rate !== null && rate.low > 0) && (kind !== 'saved-with-latency' || latencyMs)
    const given = { uses: values.uses, latencyMs }
    const rule =
      isKnown && processor && device && upload && readback
        ? // Computed, not saved: against a device that computes everything in no time, all of that time would be saved.
          kind === 'computed'
          ? predict({ ...given, processor: device, device: INFINITE, upload, readback })
          : predict({ ...given, processor, device, upload, readback })
        : null
    const finite = (x: number | undefined) => (x !== undefined && Number.isFinite(x) ? x : null)
    const isSlow = processor && device && device.value <= processor.value
    return {
      ...named,
      value: rule?.value ?? null,
      low: finite(rule?.low),
      high: finite(rule?.high),
      n: rule ? (latency?.n ?? 0) : 0,
      origin: 'derived',
      ...(rule
        ? {}
        : {
            note: isSlow
              ? 'the device computes no faster than the CPU here, so no size is large enough'
              : 'a rate that the rule needs was not measured',
          }),
    }
  },
})
