/** An answer for each size, and what the answers cost: times that were measured before the function was asked. */
import { ms, percent } from '../../../exercises/checks'
import type { MendRules } from '../../../exercises/mend'
import { cannotTell, checksOf, no, yes, type Ask } from '../../../exercises/rules'
import { atLines } from '../../../exercises/trace-of-run'
import type { Evidence } from '../../../exercises/types'
import { answersOf, choicesOf, isPlace, longer, ownRegret, shown } from './answers'
import { meanRegret, PLACES, regretOf, timedSizesOf } from './regret'

/** In the mean over sizes. A rule of thumb reaches it; no constant answer does where there is something to choose. */
const MOST_REGRET = 0.1

/** Where the answer was given, which no recording shows: by the program's text. */
const answeredAt = ({ answersAt = [] }: Evidence): string => atLines(answersAt.map((line) => ({ line })))

const output: Ask = (evidence) => {
  const { yours } = evidence
  const sizes = timedSizesOf(yours.plan)
  const answers = answersOf(yours)
  for (const [index, { n }] of sizes.entries())
    if (!isPlace(answers[index]))
      return no(
        `For n = ${String(n)} your function returned ${shown(answers[index])}${answeredAt(evidence)}; the answers are 'cpu' and 'gpu'.`,
      )
  return yes(`Your function answered for ${String(sizes.length)} sizes that it had not seen.`)
}

const regret: Ask = (evidence) => {
  const { yours } = evidence
  const [sizes, choices, own] = [timedSizesOf(yours.plan), choicesOf(yours), ownRegret(yours)]
  if (own === null) return no('What your choices cost follows only from a choice for each size.')
  const isPlain = yours.plan['hasLibrary'] !== 1
  const note = isPlain ? ' The CPU’s side was plain JavaScript here: its library did not load.' : ''
  const words = `Over ${String(sizes.length)} sizes from ${String(sizes[0]?.n)} to ${String(sizes.at(-1)?.n)}, your choices took ${longer(own)} on average`
  if (own > MOST_REGRET) {
    const regrets = sizes.map((size, index) => regretOf(size, choices[index] ?? 'cpu'))
    const worst = regrets.indexOf(Math.max(...regrets))
    const size = sizes[worst]
    const most = size
      ? ` Most at n = ${String(size.n)}: you chose '${String(choices[worst])}'${answeredAt(evidence)}; the CPU takes ${ms(size.cpu.ms)}, the GPU ${ms(size.gpu.ms)}.`
      : ''
    return no(`${words}; ${percent(MOST_REGRET)} is allowed.${most}${note}`)
  }
  const always = PLACES.map((place) => ({ place, regret: meanRegret(sizes, () => place) }))
  const simple = always.find((each) => each.regret <= MOST_REGRET)
  if (simple)
    return cannotTell(
      `${words}. But '${simple.place}' for every size takes ${percent(simple.regret)} more: this machine cannot tell your rule from that.${note}`,
    )
  const others = always.map((each) => `'${each.place}' for every size takes ${longer(each.regret)}`)
  return yes(`${words}. ${others.join(', ')}.${note}`)
}

export const rules: MendRules = {
  experiment: 'worth-it',
  language: 'javascript',
  figure: {
    words: 'more time than the better choices take, on average',
    unit: 'ratio',
    run: 'asked',
    of: ownRegret,
  },
  checks: checksOf({ output, regret }),
}
