/** From a run's facts to its verdict and the paragraphs that explain it, by the rules of its experiment. Pure. */
import type { Metric, Validity, Verdict, Verification } from '../../trace/report'
import { holds } from '../../text/condition'
import type { Declaration, Rule } from './experiment'
import type { Facts } from '../../text/facts'
import { aboutThisMachine, isSound, whereFrom } from './machine'
import type { Quote } from './quote'
import { passageOf, type Card } from '../../text/card'
import { partsFor } from '../../text/passage'
import { render, type Reading } from '../../text/template'
import { say } from '../../text/wording'

/** The reason of every verdict on a run that does not count. */
const RUN_INVALID = 'run-invalid'

/** What decides whether a run counts at all. */
export interface Standing {
  readonly validity: Validity
  readonly verification: Pick<Verification, 'checked' | 'failed'>
}

const doesCount = ({ validity, verification }: Standing): boolean =>
  validity.valid && verification.checked > 0 && verification.failed === 0

/** The first rule that holds. */
function decide({ rules, names, id }: Declaration, facts: Facts): Rule {
  const named = names(facts)
  const rule = rules.find(({ when }) => holds(when, facts, named))
  if (!rule) throw new Error(`No rule of '${id}' holds: the last one must always.`)
  return rule
}

/** An invalid run, or one whose results were wrong or not checked, has no verdict but 'invalid'. */
export function judge(declaration: Declaration, facts: Facts & Standing): Verdict {
  if (!doesCount(facts)) {
    const { validity, verification } = facts
    const why = [
      ...validity.reasons,
      ...(verification.failed > 0 && !validity.reasons.some((reason) => reason.includes('wrong'))
        ? [`${String(verification.failed)} of ${String(verification.checked)} checked values are wrong.`]
        : []),
      ...(verification.checked === 0 && validity.valid ? ['No result was checked.'] : []),
    ]
    return {
      outcome: 'invalid',
      reason: RUN_INVALID,
      text: `This run does not count, so it shows nothing. ${why.join(' ')}`.trim(),
    }
  }
  const { outcome, reason, text } = decide(declaration, facts)
  const reading = { facts, names: declaration.names(facts), metric: say, withBounds: false }
  return { outcome, reason, text: render(text, reading) ?? '' }
}

/** The rule is the one that the report names; where this version has no such rule (a report of another version), the one that holds today. */
export function explanationOf(declaration: Declaration, quote: Quote) {
  const { report } = quote
  const reading: Reading = {
    facts: report,
    names: declaration.names(report),
    metric: ({ name, variant }: Metric) => quote.metric(name, variant),
    withBounds: true,
  }
  const parts = {
    /** Where the figures are from. */
    from: whereFrom(quote),
    /** What they show; none of a run that shows nothing. */
    cards: [] as readonly Card[],
    /** What the cards are read with. */
    reading,
    /** What kind of machine it was. */
    machine: aboutThisMachine(quote),
  }
  if (!isSound(quote)) return parts
  const rule =
    declaration.rules.find(({ reason }) => reason === report.verdict.reason) ?? decide(declaration, report)
  const canBeStated = partsFor(passageOf(rule.explain), reading).length > 0
  return {
    ...parts,
    cards: canBeStated ? rule.explain : [{ text: report.verdict.text, picture: null, more: [] }],
  }
}
