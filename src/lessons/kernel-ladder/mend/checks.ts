/** The right product, nothing written beside it, and a kernel whose neighbours read neighbours: which only its time can show. */
import { flopRateText } from '../../../base/figures'
import { lengthsCheck, ms } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../mend/rules'
import { gflopsOf, lengthsOf, MOST_RATE, size, slowest, wordsBehind, wrongProduct } from './judged'
import type { Product } from './product'

const { everyRun } = rulesFor<Product>('small')

/** Times the unchanged kernel's time: where no order of reading makes such a difference, and no other program at work. */
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

const time: Ask = ({ yours, start, reference }) => {
  const slow = slowest(yours)
  if (slow)
    return no(
      `Your kernel took ${ms(slow.ms)} for a product of ${size(slow.reached)}: too long to run it with ${size(slow.n)}. Look for a loop that does not end.`,
    )
  const lengths = [yours, start, reference].map(lengthsOf)
  if (!yours.isSoftware) return lengthsCheck(lengths, 'kernel')
  const [own = Infinity, unchanged = Infinity] = lengths.map((each) => Math.min(...each))
  return own > FAR_SLOWER * unchanged
    ? no(`Your kernel took ${ms(own)}, the unchanged kernel ${ms(unchanged)}.`)
    : cannotTell(
        'This adapter computes on the CPU, whose caches serve both orders about as fast. Only a GPU can show the difference.',
      )
}

export const rules: MendRules = {
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
}
