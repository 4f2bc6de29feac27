/** As the last rung, but each part may be awaited: how many pieces it goes up in is asked for here. */
import { checksOf, rulesFor, times } from '../../../../exercises/rules'
import { waitsOf } from '../../../../exercises/trace-of-run'
import { countWaits, output, rules as last, work } from '../checks'
import type { Uploads } from '../parts'

const { atMost, halfTheTime } = rulesFor<Uploads>('uploads')
const MOST_WAITS = 1

export const rules = {
  ...last,
  checks: checksOf({
    output,
    work,
    waits: atMost(
      MOST_WAITS,
      (trace, run) => countWaits(trace, run) / run.facts.parts,
      (count) =>
        count > MOST_WAITS
          ? `Your program waited ${times(count)} for each part`
          : 'Your program waited at most once for each part',
      waitsOf,
    ),
    time: halfTheTime,
  }),
}
