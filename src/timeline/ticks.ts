/**
 * Ticks of the time axis: steps of 1, 2 or 5 times a power of ten, in the unit that suits the step.
 * Far into a run and deeply zoomed, the digits that all ticks share move into one base ('1 234
 * ms'), and the ticks count from it ('+50 µs').
 */
import { tickStep, ticks as niceTicks } from 'd3-array'
import { largestTimeUnit } from '../base/figures'
import { groupDigits, THIN } from './format'
import type { View } from './types'

export type TimeTicks = ReturnType<typeof timeTicks>

/** Five to a step, and of steps at most half as many again as were asked for. */
const MOST_MINORS = 10

/** More units than this and the digits crowd the axis. */
const LONGEST_PLAIN = 1e4

function stepDecimals(step: number): number {
  return step >= 1 ? 0 : Math.ceil(-Math.log10(step) - 1e-9)
}

export function timeTicks(view: View, widthPx: number, minSpacingPx = 88) {
  const count = Math.max(2, Math.floor(widthPx / minSpacingPx))
  // A view of no length has none.
  const stepNs = Math.abs(tickStep(view.startNs, view.endNs, count)) || 1
  const { label: unit, ns: scale } = largestTimeUnit(stepNs)
  const farthest = Math.max(Math.abs(view.startNs), Math.abs(view.endNs))
  // The base is a whole number of the next larger unit's tenths, so that it reads short.
  const baseStepNs = Math.max(scale * 1e3, 10 ** Math.ceil(Math.log10(view.endNs - view.startNs)))
  const baseNs = farthest / scale >= LONGEST_PLAIN ? Math.floor(view.startNs / baseStepNs) * baseStepNs : 0
  const decimals = stepDecimals(stepNs / scale)
  const label = (timeNs: number): string => {
    const value = (timeNs - baseNs) / scale
    return `${baseNs === 0 || value === 0 ? '' : '+'}${groupDigits(value, decimals)}${THIN}${unit}`
  }
  const [baseUnit, baseUnitNs] =
    baseNs >= 1e10 && baseStepNs >= 1e9 ? ['s', 1e9] : baseStepNs >= 1e3 ? ['ms', 1e6] : ['µs', 1e3]
  const baseDecimals = Math.max(0, Math.round(Math.log10(baseUnitNs / baseStepNs)))
  const mantissa = Math.round(stepNs / 10 ** Math.floor(Math.log10(stepNs) + 1e-9))
  const minorStepNs = stepNs / (mantissa === 2 ? 4 : 5)
  const major = niceTicks(view.startNs, view.endNs, count)
  const minorNs: number[] = []
  // Counted, not compared: far from zero a step may be less than what a double tells apart, and a
  // loop up to the end would have none.
  const firstMinor = Math.ceil(view.startNs / minorStepNs)
  const minors = Math.min(MOST_MINORS * count, Math.floor(view.endNs / minorStepNs) - firstMinor + 1)
  for (let index = 0; index < minors; index += 1) minorNs.push((firstMinor + index) * minorStepNs)
  return {
    stepNs,
    unit,
    /** The origin that labels count from; null when labels stand for themselves. */
    base:
      baseNs === 0
        ? null
        : {
            timeNs: baseNs,
            label: `${groupDigits(baseNs / baseUnitNs, baseDecimals)}${THIN}${baseUnit}`,
          },
    major: major.map((timeNs) => ({ timeNs, label: label(timeNs) })),
    /** Between the labelled ones: fifths of a step of 1 or 5, quarters of a step of 2. */
    minorNs,
  }
}
