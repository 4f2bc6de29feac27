/**
 * Makes an excerpt of the model's result: a row for each place, worker or rank, from the program's
 * first call on.
 */
import type { Seen, Stretch } from '../../../model/play/play'
import {
  plainBar,
  plainStrip,
  type Excerpt,
  type ExcerptBar,
  type ExcerptIdle,
  type ExcerptRow,
} from '../../../strips/excerpt'

const barsOf = (
  kind: ExcerptBar['kind'],
  stretches: readonly Stretch[],
  more: (index: number) => { readonly name?: string; readonly label?: string } = () => ({}),
): readonly ExcerptBar[] =>
  stretches.map(({ startNs, endNs }, span) => plainBar(kind, startNs, endNs, { span, ...more(span) }))

const row = (
  kind: ExcerptRow['kind'],
  label: string,
  bars: readonly ExcerptBar[] = [],
  idle: readonly ExcerptIdle[] = [],
): ExcerptRow => ({ kind, name: label, label, group: label, bars, idle })

/** Before and between stretches, and behind them until an end. */
const gapsOf = (stretches: readonly Stretch[], endNs: number): readonly ExcerptIdle[] =>
  [...stretches, { startNs: endNs, endNs }]
    .map(({ startNs }, gap) => ({
      startNs: stretches[gap - 1]?.endNs ?? 0,
      endNs: startNs,
      cause: null,
      gap,
    }))
    .filter((gap) => gap.endNs > gap.startNs)

function rowsOf({ host, waits, between, passes, workers, ranks }: Seen): readonly ExcerptRow[] {
  // Nothing is idle any more when the program has ended.
  const all = [host, waits, passes, ...workers, ...ranks].flat()
  const endNs = Math.max(0, ...all.map((stretch) => stretch.endNs))
  if (ranks.length > 0)
    return ranks.map((busy, rank) =>
      row('host', `rank ${String(rank)}`, barsOf('host-work', busy), gapsOf(busy, endNs)),
    )
  const waiting = barsOf('host-wait', waits, () => ({ name: 'waits' }))
  const numbered = (numberOf: (index: number) => number) => (index: number) => ({
    label: String(numberOf(index)),
  })
  return [
    row('host', 'host', [...waiting, ...barsOf('host-work', host)]),
    // A loader's workers take the place of what is on the way: its batches are carried in no time.
    ...(workers.length > 0
      ? workers.map((made, worker) => {
          const batch = numbered((index) => index * workers.length + worker + 1)
          return row(
            'host',
            `worker ${String(worker)}`,
            barsOf('host-work', made, batch),
            gapsOf(made, endNs),
          )
        })
      : [row('staging', 'on the way', barsOf('staging-in-flight', between))]),
    // A program of transfers alone has nothing on its device.
    ...(passes.length > 0
      ? [
          row(
            'device',
            'device',
            barsOf(
              'compute',
              passes,
              numbered((pass) => pass + 1),
            ),
            gapsOf(passes, endNs),
          ),
        ]
      : []),
  ]
}

/** Before there is a picture. */
const EMPTY = [row('host', 'host'), row('staging', 'on the way'), row('device', 'device')]

/** @param seen null: nothing was worked out yet */
export const excerptOfPlay = (seen: Seen | null): Excerpt => ({
  lengthNs: seen?.windowNs ?? 1,
  isDeviceTimed: true,
  strips: [
    plainStrip(seen ? rowsOf(seen) : EMPTY, seen?.windowNs ?? 1, {
      basis: 'modelled',
      stepBegins: seen?.steps ?? [],
    }),
  ],
})
