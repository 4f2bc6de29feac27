/**
 * Finds the next one: the span, gap, lane, found span or end of an arrow that a step from the
 * selection leads to.
 */
import { stepFlow } from './links'
import { stepGap, stepLane, stepSpan, targetRange } from './navigate'
import { nextFound, type Found } from './search'
import type { Shown } from './view-model'
import type { Target, View } from './types'

/**
 * Along the lane (span), to the lane above or below (lane), to the next gap, to the next found
 * span, or along an arrow: back to what caused it, on to what it caused (flow).
 */
export type Step = 'span' | 'gap' | 'lane' | 'found' | 'flow'

export interface StepFrom extends Shown {
  readonly target: Target | null
  readonly view: View
  readonly found: Found | null
}

/** Null where there is none. */
export function nextTarget(from: StepFrom, what: Step, direction: 1 | -1): Target | null {
  const { data, layout, target, view } = from
  switch (what) {
    case 'span':
      return stepSpan(data, layout, target, view, direction)
    case 'lane':
      return stepLane(data, layout, target, view, direction)
    case 'gap':
      return stepGap(data, target, view, direction)
    case 'found':
      return foundTarget(from, direction)
    case 'flow':
      return flowTarget(from, direction)
  }
}

/**
 * From the selection; where nothing is selected, from the begin of the view, so that the first one
 * in view comes first.
 */
function foundTarget({ data, target, view, found }: StepFrom, direction: 1 | -1): Target | null {
  if (!found) return null
  const range = target && targetRange(data, target)
  const fromNs = range?.startNs ?? (direction === 1 ? view.startNs : view.endNs)
  return spanTarget(nextFound(found, target?.type === 'span' ? target.span : null, fromNs, direction))
}

const flowTarget = ({ data, target }: StepFrom, direction: 1 | -1): Target | null =>
  target?.type === 'span' ? spanTarget(stepFlow(data.placed, target.span, direction)) : null

const spanTarget = (span: number | null): Target | null => (span === null ? null : { type: 'span', span })
