/** The right product, nothing written beside it, and a kernel that asks memory for less: which only its time can show. */
import { flopRateText } from '../../../base/figures'
import { lengthsCheck, ms } from '../../../exercises/checks'
import type { MendRules } from '../../../exercises/mend'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../exercises/rules'
import type { Evidence } from '../../../exercises/types'
import { gflopsOf, lengthsOf, MOST_RATE, size, slowest, wordsBehind, wrongProduct } from './judged'
import { NO_TILES, type Product } from './product'

const { everyRun, runsOf } = rulesFor<Product>('small')

/** Times the unchanged kernel's time: where no way of reading makes such a difference, and no other program at work. */
const FAR_SLOWER = 10

/** What was not computed took no time. */
const work: Ask = ({ yours, start, environment: { matmulGflops } }) => {
  const gflops = gflopsOf(yours)
  if (gflops === 0 || matmulGflops === null)
    return cannotTell('How fast your kernel worked was not measured.')
  const words = `Your kernel did the work of a product at ${flopRateText(gflops)}; the lab’s usual kernel does ${flopRateText(matmulGflops)} here`
  const most = yours.isSoftware ? MOST_RATE.software : MOST_RATE.gpu
  return gflops > most * Math.max(matmulGflops, gflopsOf(start))
    ? no(`${words}. So it cannot have done all of it.`)
    : yes(`${words}.`)
}

/** A kernel that is too slow: with tiles or without. */
const unshared = ({ yours }: Evidence): string =>
  runsOf(yours).some(({ facts }) => facts.barriers !== NO_TILES)
    ? 'It has workgroup memory. Does each invocation store one entry of each tile, and does the inner loop read the tiles alone?'
    : 'It has no workgroup memory: each invocation still reads all of its row and its column from global memory.'

/**
 * @param onCpu why a software adapter shows no difference
 * @param why what a kernel lacks that is too slow
 */
export const timeIs =
  (onCpu: string, why: (evidence: Evidence) => string | null): Ask =>
  (evidence) => {
    const { yours, start, reference } = evidence
    const slow = slowest(yours)
    if (slow)
      return no(
        `Your kernel took ${ms(slow.ms)} for a product of ${size(slow.reached)}: too long to run it with ${size(slow.n)}. Look for a loop that does not end.`,
      )
    const lengths = [yours, start, reference].map(lengthsOf)
    if (!yours.isSoftware) {
      const { outcome, text } = lengthsCheck(lengths, 'kernel')
      const lacks = outcome === 'no' ? why(evidence) : null
      return { outcome, text: lacks === null ? text : `${text} ${lacks}` }
    }
    const [own = Infinity, unchanged = Infinity] = lengths.map((each) => Math.min(...each))
    return own > FAR_SLOWER * unchanged
      ? no(`Your kernel took ${ms(own)}, the unchanged kernel ${ms(unchanged)}.`)
      : cannotTell(`This adapter computes on the CPU, ${onCpu}. Only a GPU can show the difference.`)
  }

/** Of a rung. */
export const rulesWith = (time: Ask): MendRules => ({
  experiment: 'kernel-ladder',
  language: 'wgsl',
  figure: {
    words: 'reached by the kernel',
    unit: 'GFLOP/s',
    run: 'large',
    of: (report) => gflopsOf(report) || null,
  },
  checks: checksOf({
    output: wrongProduct,
    edges: everyRun(wordsBehind, () => 'Your kernel wrote nothing behind the end of C.'),
    work,
    time,
  }),
})

export const rules = rulesWith(
  timeIs('where workgroup memory is memory like any other, and caches serve both kernels', unshared),
)
