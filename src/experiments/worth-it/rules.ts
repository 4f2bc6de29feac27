/**
 * What a run of worth-it shows, over names that depend on it: `$cpuFirst` and `$tripFirst` are the two ways at the smallest size that was
 * run both ways, `$cpuLast` and `$tripLast` at the largest; `$cpuWins` is a size at which the CPU was surely faster, `$deviceWins` one at
 * which the device was.
 */
import { findMetric } from '../../trace/report'
import {
  all,
  always,
  any,
  atLeast,
  below,
  lessThan,
  measured,
  not,
  overlaps,
  software,
  surelyAtLeast,
  surelyLessThan,
  type Condition,
} from '../declare/condition'
import type { Facts, Names } from '../declare/facts'
import type { Rule } from '../declare/rule'
import type { Text } from '../declare/template'
import { ASKED_SIZE, CPU, parseVariant, RESIDENT, ROUND_TRIP, sizedVariant, type Place } from './variants'

export function namesOf({ metrics, params, derived }: Facts): Names {
  /** Sizes at which a metric of a place is known, ascending. */
  const sizesWith = (name: string, place: Place): readonly number[] =>
    metrics
      .filter((metric) => metric.name === name && metric.value !== null && metric.value > 0)
      .flatMap(({ variant }) => {
        const sized = variant.startsWith(place) ? parseVariant(variant) : null
        return sized ? [sized.n] : []
      })
      .toSorted((a, b) => a - b)
  const time = (place: Place, n: number) => findMetric(metrics, 'time-ms', sizedVariant(place, n))
  const isAhead = (one: Place, other: Place) => (n: number) => {
    const [fast, slow] = [time(one, n), time(other, n)]
    return fast?.high != null && slow?.low != null && fast.high < slow.low
  }
  const trips = sizesWith('time-ms', ROUND_TRIP)
  const onCpu = sizesWith('time-ms', CPU)
  const resting = sizesWith('time-ms', RESIDENT)
  const both = trips.filter((n) => onCpu.includes(n))
  const shares = sizesWith('kernel-share', ROUND_TRIP)
  const asked = shares.find((n) => n >= ASKED_SIZE) ?? shares.at(-1)
  const stays = trips.findLast((n) => resting.includes(n))
  const named = (place: Place, n: number | undefined) => (n === undefined ? null : sizedVariant(place, n))
  const square = (n: number | undefined) => (n === undefined ? null : `${String(n)} × ${String(n)}`)
  const { uses } = params
  const threads = Number(derived['processorThreads'])
  const text = (name: string) =>
    derived[name] === undefined || derived[name] === '' ? null : String(derived[name])
  return {
    cpuFirst: named(CPU, both[0]),
    tripFirst: named(ROUND_TRIP, both[0]),
    cpuLast: named(CPU, both.at(-1)),
    tripLast: named(ROUND_TRIP, both.at(-1)),
    first: square(both[0]),
    last: both.length > 1 ? square(both.at(-1)) : null,
    largest: square(both.at(-1)),
    cpuWins: named(CPU, both.find(isAhead(CPU, ROUND_TRIP))),
    deviceWins: named(ROUND_TRIP, both.find(isAhead(ROUND_TRIP, CPU))),
    cpuTop: named(CPU, sizesWith('gflops', CPU).at(-1)),
    residentTop: named(RESIDENT, sizesWith('gflops', RESIDENT).at(-1)),
    asked: named(ROUND_TRIP, asked),
    askedSize: square(asked),
    stays: named(RESIDENT, stays),
    goes: named(ROUND_TRIP, stays),
    staysSize: square(stays),
    operation: uses === 1 ? 'the product' : `${String(uses)} products of the same matrices`,
    library: text('processorLibrary'),
    threads: threads === 1 ? 'one thread' : `${String(threads)} threads`,
    poorly: text('processorNote'),
    tooSlow: text('sizesLeftOut')?.replaceAll(' ', ', ') ?? null,
    skipped: text('sizesSkipped')?.replaceAll(' ', ', ') ?? null,
    whyNoRule: findMetric(metrics, 'rule-n', ROUND_TRIP)?.note ?? 'a rate is missing',
  }
}

/** A rule that is right to within this factor serves. */
const RIGHT_WITHIN = 1.5
const isNear = (factor: string): Condition =>
  all(atLeast(factor, 1 / RIGHT_WITHIN), not(atLeast(factor, RIGHT_WITHIN)))
/** An interval with an open end may hold 1 as well. */
const mayBeRight = (factor: string): Condition =>
  not(any(surelyAtLeast(factor, 1), surelyLessThan(factor, 1)))

const CROSSOVER = 'crossover-n round-trip'
const noCrossover = not(measured(CROSSOVER))
/** The medians: over 1, the CPU is ahead at the largest size. */
const LAST = 'time-ms $tripLast / time-ms $cpuLast'

/** The headline: what a round trip is made of. */
const parts: Text = [
  'There and back with matrices of {$askedSize} took {time-ms $asked}. Of that time [[device:the device]] was computing {kernel-share $asked}.',
  '[[staging:Filling]] the staging buffers took the host {fill-ms $asked}, and copying the result out {read-ms $asked}.',
  'For {other-wait-ms $asked} the host [[wait:waited]] while the device was not computing: bytes were on their way, or completion had not been reported yet.',
]

const atFirst =
  'At {$first} {$operation} took [[host:the CPU]] {time-ms $cpuFirst}, and {time-ms $tripFirst} with transfers to the device and back.'
const atLast =
  'At {$last} {$operation} took [[host:the CPU]] {time-ms $cpuLast}, and {time-ms $tripLast} with transfers to the device and back.'
/** Both ends of the range, so that the reader sees which way it turns. */
const ends: Text = [atFirst, atLast]

const crossing: Text = [
  'The two curves cross at n = {crossover-n round-trip}. Below that the CPU was faster; above it the device was, although two matrices travelled there and one back.',
  ...ends,
]

/** The same matrices, were they on the device already. */
const resident: Text = {
  when: below('time-ms $stays', 'time-ms $goes'),
  text: [
    'Left on the device and queued one behind the other, {$operation} took {time-ms $stays} at {$staysSize}, against {time-ms $goes} there and back, which is {time-ms $goes / time-ms $stays | times} as long.',
    'For matrices that are there already and stay there, the curves cross at n = {crossover-n resident}.',
    'So the question is seldom how fast the device computes. It is where the data lives before and after.',
  ],
}

const savedRule: Text = [
  'Two rules of thumb compare computing with transfers, the bytes over the bandwidth. Bytes went up at {upload-gb-per-s upload} here and came back at {readback-gb-per-s readback}.',
  'The first asks whether the time that the device *saves* by computing is longer than the transfers. With the rates measured here it puts the crossover at n = {rule-n round-trip}.',
  'What was measured is {rule-factor round-trip | times} that.',
]

/** Which of the two rules holds on this run. */
const computedRule: Text = [
  'The second, better known, asks whether the device *computes* longer than the transfers take. It says n = {rule-compute-n round-trip}.',
  {
    when: isNear('rule-compute-factor round-trip'),
    text: 'Here that is near what was measured too, which is a coincidence of these rates: a device twice as fast would move it up to twice the size, although a faster device pays sooner.',
    otherwise: {
      when: mayBeRight('rule-compute-factor round-trip'),
      text: 'The intervals are too wide to tell whether it holds here. What speaks against it is that a faster device makes it name larger sizes, although a faster device pays sooner.',
      otherwise:
        'What was measured is {rule-compute-factor round-trip | times} that, so it does not hold here. It asks the wrong question: a device that needs hardly any time to compute fails its test, and has saved the most.',
    },
  },
]

const withLatency: Text =
  'A round trip with hardly a byte in it took {latency-ms latency}. Added to the side of the device, that makes the first rule say n = {rule-latency-n round-trip}.'
const latencyFactor: Text =
  'What was measured is {rule-latency-factor round-trip | times} what the rule with latency says.'

const reuse: Text = {
  when: lessThan('param.uses', 2),
  text: 'One product for each upload is the worst case for a device. Every further product of matrices that are there already costs computing only, so the transfers are shared.',
  otherwise:
    'Here each upload served {param.uses} products. The transfers are paid once for all of them, which is what moves the crossover down: compare with a run that uses each upload once.',
}

/** How the CPU's side was computed: a poor opponent makes any device look good. */
const opponent: Text = [
  '[[host:The CPU]] multiplied with {$library}, on {$threads}.',
  'That is less than it could do ({$poorly}), so every crossover here lies too low.',
  'Of n = {$tooSlow} nothing is compared, since the CPU or the device would have taken too long.',
  'There was no time for n = {$skipped}, since completion is reported late in this browser or the sizes are many; allow more time to measure in, and they are run.',
]

const found = 'The device is worth it from about n = {crossover-n round-trip | about} on.'
const saved = 'By time saved the rule of thumb says {rule-n round-trip | about}'
const computed = 'by time computed it says {rule-compute-n round-trip | about}'

export const worthItRules: readonly Rule[] = [
  {
    reason: 'nothing-to-compare',
    outcome: 'inconclusive',
    when: not(measured('time-ms $cpuLast', 'time-ms $tripLast')),
    text: 'No size was run both ways: choose smaller ones, or fewer matmuls on each upload.',
    explain: [
      'No size was run both by the CPU and by the device, so there are no two curves that could cross. Sizes that would take too long on one of them are left out: choose smaller ones, or fewer products on each upload.',
      parts,
      opponent,
    ],
  },
  {
    reason: 'gpu-always-wins',
    outcome: 'not-shown',
    when: all(noCrossover, lessThan(LAST, 1), below('time-ms $tripFirst', 'time-ms $cpuFirst')),
    text: 'Even at {$first}, the smallest size run, the device was faster, transfers included. Choose smaller sizes.',
    explain: [
      ['At every size of this run the device was faster, transfers included.', ...ends],
      'There is a crossover, but further down. Run smaller matrices until the CPU wins; or look at how the CPU was used, since plain code or a single thread makes any device look good.',
      resident,
      opponent,
    ],
  },
  {
    reason: 'cpu-always-wins',
    outcome: 'not-shown',
    when: all(
      noCrossover,
      atLeast(LAST, 1),
      below('time-ms $cpuLast', 'time-ms $tripLast'),
      any(
        software,
        overlaps('gflops $residentTop', 'gflops $cpuTop'),
        below('gflops $residentTop', 'gflops $cpuTop'),
      ),
    ),
    text: [
      {
        when: software,
        text: 'The CPU was faster at every size up to {$largest}, and the device here is software: it is the same CPU, reached by a detour.',
        otherwise:
          'The CPU was faster at every size up to {$largest}: this device computes no faster than the CPU ({gflops $residentTop} against {gflops $cpuTop}).',
      },
    ],
    explain: [
      ['At every size of this run the CPU was faster.', ...ends],
      {
        when: software,
        text: 'It could not be otherwise. This adapter computes on the same CPU, with less than the best code for it, and on top of that comes the detour through another process. A device that is not faster is never worth the transfers, however large the matrices are.',
        otherwise:
          'Here the device computes no faster than the CPU does, even with everything in place. Then no size is large enough: both sides of the comparison grow with the same power of n, and the transfers come on top.',
      },
      parts,
      resident,
      opponent,
    ],
  },
  {
    reason: 'sizes-too-small',
    outcome: 'inconclusive',
    when: all(noCrossover, atLeast(LAST, 1), below('time-ms $cpuLast', 'time-ms $tripLast')),
    text: 'The CPU was faster at every size up to {$largest}, but the device may compute faster once everything is there. Choose larger sizes, or more matmuls on each upload.',
    explain: [
      ['At every size of this run the CPU was faster.', ...ends],
      [
        'With everything in place the device reached {gflops $residentTop}, the CPU {gflops $cpuTop}.',
        'A lead of the device grows with n³, while the bytes grow with n². Somewhere above the largest size the curves must then cross. Choose larger sizes; or let each upload serve more products.',
      ],
      [savedRule, withLatency],
      opponent,
    ],
  },
  {
    reason: 'intervals-overlap',
    outcome: 'inconclusive',
    when: not(all(measured(CROSSOVER), measured('time-ms $cpuWins', 'time-ms $deviceWins'))),
    text: 'The repeats spread so far that no size shows which of the two is faster: run more of them, with nothing else busy.',
    explain: [
      [
        'The repeats of this run differ so much from one another that there are no two sizes between which the lead surely changes, so no crossover is claimed.',
        ...ends,
      ],
      'Close what else is using the CPU, and run more repeats.',
      opponent,
    ],
  },
  {
    reason: 'rule-unknown',
    outcome: 'shown',
    when: not(measured('rule-factor round-trip')),
    text: [found, 'The rules of thumb could not be worked out: {$whyNoRule}.'],
    explain: [
      parts,
      crossing,
      'The rules of thumb need four rates, and one of them could not be had in this run, so there is nothing to compare with. The table of figures says which, and why.',
      [resident, reuse],
      opponent,
    ],
  },
  {
    reason: 'rule-holds',
    outcome: 'shown',
    when: isNear('rule-factor round-trip'),
    text: [found, `${saved}: near enough; ${computed}.`],
    explain: [
      parts,
      crossing,
      [
        savedRule,
        'Near enough to serve: at this size the bytes weigh more than what is paid once for each round trip.',
        withLatency,
      ],
      computedRule,
      [resident, reuse],
      opponent,
    ],
  },
  {
    reason: 'rule-undecided',
    outcome: 'shown',
    when: mayBeRight('rule-factor round-trip'),
    text: [found, `${saved}, but the intervals are too wide to hold that against the rule; ${computed}.`],
    explain: [
      parts,
      crossing,
      [
        savedRule,
        'That interval has room for a rule that is right and for one that is far off, so neither is claimed. More repeats narrow it.',
        withLatency,
      ],
      computedRule,
      resident,
      opponent,
    ],
  },
  {
    reason: 'rule-misses-latency',
    outcome: 'shown',
    when: isNear('rule-latency-factor round-trip'),
    text: [
      found,
      `${saved}, with the latency of a round trip {rule-latency-n round-trip | about}; ${computed}.`,
    ],
    explain: [
      parts,
      crossing,
      savedRule,
      [
        'For small matrices it is not the bytes that decide. A fixed price is paid for each round trip: commands go through another process, and completion is reported late. A rule that knows rates and bandwidths only cannot see it, and puts the crossover at the wrong size.',
        withLatency,
        latencyFactor,
      ],
      computedRule,
      [resident, reuse],
      opponent,
    ],
  },
  {
    reason: 'rule-misses',
    outcome: 'shown',
    when: always,
    text: [
      found,
      `${saved}, with latency {rule-latency-n round-trip | about}: the rule leaves something out here. The other rule, by time computed, says {rule-compute-n round-trip | about}.`,
    ],
    explain: [
      parts,
      crossing,
      savedRule,
      [
        withLatency,
        latencyFactor,
        'So something else weighs here. The rule takes one rate for all sizes, but a small matrix fills neither the units of a device nor those of a CPU with many threads; and it lets nothing overlap, though a second buffer may be filled while the first is carried. The figures by size show which.',
      ],
      computedRule,
      resident,
      opponent,
    ],
  },
]
