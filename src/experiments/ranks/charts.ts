/** Who waited for whom when a hang was found, as the lab found it. */
import type { GraphFigure } from '../../trace/figure'
import type { Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { BOTH_SEND, HANGING, ranksOf, waitsKey } from './variants'

const WAIT = /^(\d+) (send|recv) (\d+)$/

export function waitForFigures(
  _: readonly Metric[],
  { derived }: Pick<Evidence, 'derived'>,
): readonly GraphFigure[] {
  return HANGING.flatMap((variant) => {
    const waits = derived[waitsKey(variant)]
    if (typeof waits !== 'string') return []
    const edges = waits.split(', ').flatMap((each) => {
      const [, from, operation, to] = WAIT.exec(each) ?? []
      return from === undefined || to === undefined
        ? []
        : [
            {
              from: Number(from),
              to: Number(to),
              label: operation === 'send' ? 'waits in send' : 'waits in recv',
            },
          ]
    })
    const waiting = new Set(edges.map(({ from }) => from))
    return [
      {
        kind: 'graph',
        id: `waits-${variant}`,
        title: `Who waits for whom: ${variant}`,
        caption:
          variant === BOTH_SEND
            ? 'As found in the last repeat. The arrows form a cycle, so nobody in it goes on.'
            : 'As found in the last repeat. A rank that has returned answers no arrow.',
        nodes: Array.from({ length: ranksOf(variant) }, (_own, rank) => ({
          label: `rank ${String(rank)}`,
          state: waiting.has(rank) ? ('waits' as const) : ('returned' as const),
        })),
        edges,
      },
    ]
  })
}
