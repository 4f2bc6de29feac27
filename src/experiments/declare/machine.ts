/** What every explanation says of a run besides what its rules say: where the figures are from, and what kind of machine it was. Pure. */
import { grouped } from '../../base/figures'
import { about } from '../../text/wording'
import type { Prose, Quote } from './quote'

/** Paragraphs in order; null ones are left out. */
const present = (...parts: readonly (string | null)[]): Prose => parts.filter((part) => part !== null)

/** What to know of the run before any figure of it is read. */
export function whereFrom(quote: Quote): Prose {
  const { report, origin = 'live' } = quote
  const { environment, validity, verdict, verification } = report
  return present(
    origin === 'live'
      ? null
      : `These figures are from a run recorded on ${environment.adapterName}. They are not your machine's.`,
    verification.failed > 0
      ? `**Some results were wrong**: ${String(verification.failed)} of ${String(verification.checked)} sampled values differ from the reference. A fast wrong answer proves nothing, so take no figure of this run as true.`
      : null,
    validity.valid && verdict.outcome !== 'invalid'
      ? null
      : `**This run does not count.** ${validity.reasons.join(' ')} Run it again; until then nothing is concluded from it.`,
  )
}

/** Only valid, verified runs are explained. */
export const isSound = ({ report: { validity, verification, verdict } }: Quote): boolean =>
  validity.valid && verification.failed === 0 && verdict.outcome !== 'invalid'

const plain = (value: number): string => grouped(value, 5)

const COARSE_DEVICE_STEP_NS = 1000 // finer steps do not show beside passes of 0.1 ms and more
const COARSE_HOST_STEP_US = 50 // between an isolated page's 5 µs and an ordinary one's 100 µs
const SLOW_COMPLETION_MS = 20 // some browsers look for finished work on a timer of 100 ms

/** Why the figures are as they are on this machine: software adapter, clocks, how late completion is reported. */
export function aboutThisMachine(quote: Quote): Prose {
  const { environment, clock } = quote.report
  const deviceStepNs = environment.deviceClockStepNs
  return present(
    environment.isSoftware
      ? `**The device here is software.** This adapter runs WebGPU on the CPU, so [[host:host]] and [[device:device]] share the same ${String(environment.hardwareConcurrency)} logical cores. The order of events and the mechanisms are real. How long things take, and how much one hides behind the other, says nothing about a GPU.`
      : null,
    clock.state === 'no-timestamps'
      ? 'This browser gives no device timestamps. Every figure here was measured by the host; what the device did in between is not known.'
      : null,
    clock.state === 'infeasible'
      ? "The two clocks could not be fitted to each other: some pieces of evidence contradict. Durations on the device still hold, but where they lie on the host's axis is unknown."
      : null,
    clock.state === 'fitted' && deviceStepNs !== null && deviceStepNs >= COARSE_DEVICE_STEP_NS
      ? `Device timestamps come in steps of ${plain(deviceStepNs / 1000)} µs here: the browser coarsens them for everyone's privacy. One short pass may be off by a whole step; the intervals allow for it.`
      : null,
    environment.hostClockStepUs >= COARSE_HOST_STEP_US
      ? `The host's clock moves in steps of ${plain(environment.hostClockStepUs)} µs here, because this page is not cross-origin isolated. A call that takes less than a step cannot be timed singly.`
      : null,
    (environment.completionLatencyMs ?? 0) >= SLOW_COMPLETION_MS
      ? `This browser reports completion about ${about(environment.completionLatencyMs ?? 0)} ms after the device has ended. Some look for finished work on a slow timer. Each wait for the device takes that long.`
      : null,
  )
}
