/** Streams in CUDA, as PyTorch ran them: when the first of eight results was there, what a second stream gained, and what a forgotten event cost. */
import { grouped } from '../../base/figures'
import { medianIn, numberIn, pointsIn, type Json, type RecordedSide } from '../recorded'

const FILE = 'torch-streams-and-events.json'

/** Both times of 'first', ms; null where one is missing. */
function firstOf(json: Json | null) {
  const one = medianIn(json, 'first', 'firstMs')?.value ?? 0
  const all = medianIn(json, 'first', 'allMs')?.value ?? 0
  return one > 0 && all > 0 ? { one, all } : null
}

/** Products of one size, on one stream and on two; from the smallest size on. */
const gainsOf = (json: Json | null) =>
  pointsIn(json)
    .flatMap((point) => {
      const [n, one, two] = [
        numberIn(point, 'n') ?? 0,
        medianIn(point, 'oneMs')?.value ?? 0,
        medianIn(point, 'twoMs')?.value ?? 0,
      ]
      return n > 0 && one > 0 && two > 0 ? [{ n, one, two }] : []
    })
    .toSorted((a, b) => a.n - b.n)

export const streamsAndEventsRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'first-share',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const first = firstOf(recorded.json(FILE))
        return (
          first && {
            value: first.one / first.all,
            unit: 'ratio',
            words: `in PyTorch: an event behind the first of eight products, on one stream, ended after ${recorded.say(first.one, 'ms')}. All eight took ${recorded.say(first.all, 'ms')}.`,
          }
        )
      },
    },
  ],
  carriesOver: (recorded) => {
    const json = recorded.json(FILE)
    const gains = gainsOf(json).map(
      ({ n, one, two }) =>
        `Products of n = ${grouped(n)} took ${recorded.say(one, 'ms')} on one stream and ${recorded.say(two, 'ms')} on two.`,
    )
    const wrong = (part: string, way: string) => numberIn(json, part, way)
    const [checked, forgotten] = [wrong('race', 'checked'), wrong('race', 'forgottenWrong')]
    const [ordered, event] = [wrong('race', 'oneStreamWrong'), wrong('race', 'eventWrong')]
    const race =
      checked === null || forgotten === null || ordered === null || event === null
        ? []
        : [
            `The recording reads a product from another stream. With the event forgotten, ${grouped(forgotten)} of ${grouped(checked)} numbers were wrong, and no error was raised. With the event ${grouped(event)} were wrong, on one stream ${grouped(ordered)}.`,
          ]
    const [kept, lost] = [wrong('recordStream', 'withWrong'), wrong('recordStream', 'withoutWrong')]
    const of = wrong('recordStream', 'checked')
    const freed =
      kept === null || lost === null || of === null
        ? []
        : [
            `A tensor was freed while another stream had yet to read it. Without \`record_stream\` ${grouped(lost)} of ${grouped(of)} numbers were wrong, with it ${grouped(kept)}.`,
          ]
    return [...(gains.length > 0 ? [gains.join(' ')] : []), ...race, ...freed]
  },
}
