/** `lab analyze FILE --before EARLIER`: both in one sentence, which is that of the page 'Compare' (src/site/ui/compare/compare-words.ts). */
import { chooseVariant, compareSides, DEVICE_BUSY } from '../src/site/state/comparison'
import { placeTrace } from '../src/trace/place'
import { comparisonSentence } from '../src/site/ui/compare/compare-words'
import { readOne } from './lab-analyze'

type ReadFile = Awaited<ReturnType<typeof readOne>>

/** @throws CommandError where the earlier one cannot be read */
export async function beforeText(earlier: string, now: ReadFile): Promise<string> {
  const [a, b] = [await readOne(earlier), now].map(({ opened: { trace, report } }) => ({
    placed: placeTrace(trace),
    report,
    gaps: [],
  }))
  if (!a || !b) throw new Error('two files')
  const variantA = chooseVariant(a.placed, undefined, null)
  const variantB = chooseVariant(b.placed, undefined, { variant: variantA, isSameRun: false })
  const sentence = comparisonSentence({
    comparison: compareSides({ ...a, variant: variantA }, { ...b, variant: variantB }),
    variantA,
    variantB,
    isSame: false,
    headline: undefined,
    labelOf: (name) => (name === DEVICE_BUSY.name ? DEVICE_BUSY.label : name),
  })
  return `A is ${earlier}, B is ${now.analysis.file}. ${sentence}`
}
