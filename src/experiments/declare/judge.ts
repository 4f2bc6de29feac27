/**
 * Judges a run by its facts and its experiment's rules, and picks the paragraphs that explain the
 * verdict. Pure.
 */
import type { Validity, Verdict, Verification, Report } from '../../trace/report'
import { holds } from '../../text/condition'
import type { Declaration, Rule } from './experiment'
import type { Facts } from '../../text/facts'
import { passageOf, type Card } from '../../text/card'
import { render, type Reading, partsFor } from '../../text/template'
import { say, about } from '../../text/wording'
import { grouped } from '../../base/figures'

/**
 * Prose: paragraphs of inline markup, one string a paragraph. `code`, *emphasis*, **strong**,
 * [text](https://…) and nothing else. A term in double brackets with a colour key, [[device:the
 * device]], is drawn in that lane's hue (keys: host, wait, queue, staging, transfer, device, idle).
 */
export type Prose = readonly string[]

/** A run as its page has it. Prose must not call a recorded machine the reader's own. */
export interface Explained {
  readonly report: Report
  readonly origin: 'live' | 'recorded' | 'imported'
}

/** Paragraphs in order; null ones are left out. */
const present = (...parts: readonly (string | null)[]): Prose => parts.filter((part) => part !== null)

const plain = (value: number): string => grouped(value, 5)

const COARSE_DEVICE_STEP_NS = 1000 // finer steps do not show beside passes of 0.1 ms and more
const SLOW_COMPLETION_MS = 20 // some browsers look for finished work on a timer of 100 ms

/**
 * Says why the figures are as they are on this machine: software adapter, clocks, how late
 * completion is reported.
 */
function aboutThisMachine({ environment, clock }: Report): Prose {
  const deviceStepNs = environment.deviceClockStepNs
  return present(
    environment.isSoftware
      ? `**The device here is software.** This adapter runs WebGPU on the CPU, so [[host:host]] and [[device:device]] share the same ${String(environment.hardwareConcurrency)} logical cores. The order of events and the mechanisms are real. How long things take, and how much one hides behind the other, says nothing about a GPU.`
      : null,
    clock.state === 'no-timestamps'
      ? 'This browser gives no device timestamps. Every figure here was measured by the host; what the device did in between is not known.'
      : null,
    clock.state === 'fitted' && deviceStepNs !== null && deviceStepNs >= COARSE_DEVICE_STEP_NS
      ? `Device timestamps come in steps of ${plain(deviceStepNs / 1000)} µs here: the browser coarsens them for everyone's privacy. One short pass may be off by a whole step; the intervals allow for it.`
      : null,
    (environment.completionLatencyMs ?? 0) >= SLOW_COMPLETION_MS
      ? `This browser reports completion about ${about(environment.completionLatencyMs ?? 0)} ms after the device has ended. Some look for finished work on a slow timer. Each wait for the device takes that long.`
      : null,
  )
}

/** The reason of every verdict on a run that does not count. */
const RUN_INVALID = 'run-invalid'

/** These facts decide whether a run counts at all. */
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

/**
 * The rule is the one that the report names; where this version has no such rule (a report of
 * another version), the one that holds today. `metric` writes a figure with its bound.
 */
export function explanationOf(
  declaration: Declaration,
  { report, origin }: Explained,
  metric: Reading['metric'],
) {
  const { environment, verdict } = report
  const reading: Reading = { facts: report, names: declaration.names(report), metric, withBounds: true }
  const parts = {
    /**
     * What to know before any figure is read: whose machine it was, and why a run does not count.
     */
    from: present(
      origin === 'live'
        ? null
        : `These figures are from a run recorded on ${environment.adapterName}. They are not your machine's.`,
      verdict.outcome === 'invalid' ? verdict.text : null,
    ),
    /** Cards on the figures; a run that shows nothing has none. */
    cards: [] as readonly Card[],
    /** The cards are read with it. */
    reading,
    /** The kind of machine. */
    machine: aboutThisMachine(report),
  }
  if (verdict.outcome === 'invalid') return parts
  const rule =
    declaration.rules.find(({ reason }) => reason === verdict.reason) ?? decide(declaration, report)
  const canBeStated = partsFor(passageOf(rule.explain), reading).length > 0
  return {
    ...parts,
    cards: canBeStated ? rule.explain : [{ text: verdict.text, picture: null, more: [] }],
  }
}
