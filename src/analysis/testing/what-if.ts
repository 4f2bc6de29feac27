import type { Gap, GapCause } from '../../trace/gaps'
import type { PlacedTrace } from '../../trace/place'
import { whatIfByRepeats, type WhatIf } from '../what-if'

/** All at once. `gaps` are those of `findGaps(placed)`. */
export function whatIf(placed: PlacedTrace, gaps: readonly Gap[], variant: string, cause: GapCause): WhatIf {
  const work = whatIfByRepeats(placed, gaps, variant, cause)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
