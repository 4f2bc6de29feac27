/** What a run of kernel-ladder shows: the rules of its verdict in their order, and the sentences that they share. Pure. */
import {
  all,
  always,
  any,
  atLeast,
  below,
  measured,
  not,
  overlaps,
  param,
  software,
  surelyAtLeast,
  surelyLessThan,
} from '../declare/condition'
import { valueIn, type Facts, type Names } from '../declare/facts'
import type { Rule } from '../declare/rule'
import type { Text } from '../declare/template'
import { KERNELS } from '../shared-params'
import { fastestOf } from './samplers'
import { isRung, moved, TRANSFERS_ONLY } from './variants'

const LADDER = KERNELS.map(({ value }) => value)

/** Rungs that were run, in the ladder's order. */
export const rungsIn = (metrics: Facts['metrics']): readonly string[] =>
  metrics.flatMap(({ name, variant }) => (name === 'kernel-ms' && isRung(variant) ? [variant] : []))

/**
 * $first and $fastest rung; $faster is the fastest where it is another than the first, $second any other that was timed; the two with
 * transfers; and for each rung the one before it in this run.
 */
export function names(facts: Facts): Names {
  const msOf = (rung: string) => valueIn(facts, 'kernel-ms', rung)
  const rungs = rungsIn(facts.metrics)
  const timed = rungs.filter((rung) => msOf(rung) !== null)
  const [first = null] = rungs
  const fastest = fastestOf(rungs, msOf) ?? first
  return {
    first,
    fastest,
    faster: fastest === first ? null : fastest,
    second: timed.find((rung) => rung !== first) ?? null,
    movedFirst: first && moved(first),
    movedFastest: fastest && moved(fastest),
    ...Object.fromEntries(LADDER.map((rung) => [`before-${rung}`, timed[timed.indexOf(rung) - 1] ?? null])),
  }
}

/** The ladder itself: fastest against first; in an explanation also against what the device can do. */
const climb = (verdict?: string): Text => {
  const mark = verdict === undefined ? '**' : ''
  const start = verdict ?? 'On matrices that stay on [[device:the device]], '
  return [
    {
      when: measured('kernel-ms $faster'),
      text: `${start}${mark}{$fastest}${mark} took {kernel-ms $fastest} for what ${mark}{$first}${mark} took {kernel-ms $first}, {best-speedup | times} as fast.`,
      otherwise: `${start === verdict ? `${start}no` : 'No'} kernel was faster than the first, ${mark}{$first}${mark}, which took {kernel-ms $first}.`,
    },
    verdict === undefined
      ? 'That is {gflops $fastest}, or {peak-share $fastest} of the {peak-gflops fma-peak} that this device reached when it did nothing but multiply and add.'
      : [],
  ]
}

/** The same change of kernel in a step that moves its data. */
const withTransfers: Text = [
  'In a step that uploads A and B and reads C back, the same change of kernel turned {step-ms $movedFirst} into {step-ms $movedFastest}, {best-step-speedup | times} as fast.',
  'Of the step with **{$fastest}**, {not-kernel-share $movedFastest} is not the kernel.',
  {
    when: measured('kernel-ms $faster'),
    text: 'From its first pass to its last the device computed for {device-busy-ratio $movedFirst} of the time with **{$first}**, for {device-busy-ratio $movedFastest} with **{$fastest}**.',
    otherwise:
      'From its first pass to its last the device computed for {device-busy-ratio $movedFastest} of the time.',
  },
]

/** Amdahl's law, measured: the step without any kernel. */
const limit: Text = [
  'The transfers alone, with no kernel in the step at all, took {step-ms transfers-only}.',
  'So a kernel that took no time at all would make the step of **{$first}** {step-speedup-limit | times} as fast.',
  {
    when: overlaps('step-ms $movedFastest', 'step-ms transfers-only'),
    text: 'The step with **{$fastest}** cannot be told from the transfers alone, since the two intervals overlap. A faster kernel has nothing left to gain there.',
    otherwise: {
      when: below('step-ms transfers-only', 'step-ms $movedFastest'),
      text: 'What the step with **{$fastest}** takes beyond that is all that a better kernel could still save.',
    },
  },
  'Of a step with **{$fastest}**, [[host:the host]] spent {host-copy-ms $movedFastest} copying into staging buffers and out of the result; for {rest-ms $movedFastest} the bytes were on their way, or [[wait:the host waited]] for completion to be reported.',
]

/** Rungs that were slower than the one before: a ladder is a list of ideas, not a promise. */
const slower = LADDER.slice(1).map((rung) => below(`kernel-ms $before-${rung}`, `kernel-ms ${rung}`))
const backwards: Text = [
  ...LADDER.slice(1).map((rung, index): Text => ({
    when: slower[index] ?? any(),
    text: `**${rung}** took {kernel-ms ${rung}}, longer than the rung before it, **{$before-${rung}}**, with {kernel-ms $before-${rung}}.`,
  })),
  {
    when: any(...slower),
    text: {
      when: software,
      text: 'On a software adapter that is normal: its workgroup memory is ordinary memory behind the same caches, so copying into it and waiting at barriers is added work.',
      otherwise:
        'A rung is an idea, and whether it pays depends on the device: its caches may have done that work already, or a tile may not suit this size.',
    },
  },
]

/** A ladder that is less steep than this is no ladder; one that may be steeper than FLAT is not called flat. */
const WORTH_CLIMBING = 1.3
const FLAT = 1.5
/** Half of a step: what is more than that is most of it. */
const MOST = 0.5

const climbs = all(atLeast('best-speedup', WORTH_CLIMBING), below('kernel-ms $fastest', 'kernel-ms $first'))
const mostlyNotKernel = surelyAtLeast('not-kernel-share $movedFastest', MOST)
const transfersShare = `step-ms ${TRANSFERS_ONLY} / step-ms $movedFastest`
const ALONE = 'By itself '
const STEPS =
  'With A and B uploaded and C read back each time, a step took {step-ms $movedFastest} instead of {step-ms $movedFirst}, {best-step-speedup | times} as fast; the transfers alone take {step-ms transfers-only}.'
const LEFT_OUT = 'Left out in this run, with the reason – {derived.leftOut}'

export const ladderRules: readonly Rule[] = [
  {
    reason: 'nothing-to-compare',
    outcome: 'inconclusive',
    when: not(measured('best-speedup', 'kernel-ms $second')),
    text: 'Nothing to compare: the run needs at least two kernels that could be timed.',
    explain: [
      'A ladder needs two rungs to compare, and this run timed fewer. Choose at least two kernels.',
      LEFT_OUT,
    ],
  },
  {
    reason: 'ladder-flat',
    outcome: 'not-shown',
    when: all(not(climbs), surelyLessThan('best-speedup', FLAT)),
    text: [
      climb('Here '),
      {
        when: software,
        text: "On a software adapter that is normal: its workgroup memory is the CPU's ordinary memory, and a barrier costs more than it saves.",
        otherwise:
          'This device gains little from what the ladder teaches: its caches may do the same work, or the matrix is too small to fill it. Choose a larger one.',
      },
    ],
    explain: [
      climb(),
      'So the ladder is flat here. Its rungs save trips to memory; where the trips are short, because caches serve them or because the matrices are small, there is little to save.',
      withTransfers,
      limit,
      backwards,
      LEFT_OUT,
    ],
  },
  {
    reason: 'ladder-climbs',
    outcome: 'shown',
    when: all(climbs, param('transfers', 'none')),
    text: [
      climb('Where the matrices stay on the device, '),
      'That is {peak-share $fastest} of the peak measured here.',
    ],
    explain: [
      climb(),
      [
        'Nothing was moved in this run. A step went from {step-ms $first} to {step-ms $fastest}, {step-ms $first / step-ms $fastest | times} as fast.',
        {
          when: below('step-ms $first / step-ms $fastest', 'best-speedup'),
          text: 'That is less than the kernel gained. The {derived.steps} steps of a repeat share one wait for completion, which no kernel shortens, and the faster the kernel the larger its part.',
        },
        'Kernels are compared like this in papers and benchmarks. Whether it is your program’s case depends on where its data are: run it again with transfers.',
      ],
      'The matmul does {intensity} at least, and the device reached {peak-gflops fma-peak} and moved {copy-gb-per-s stream-copy} in its own memory. Where a point stands far below the roof, neither is what holds the kernel up: it waits, or it does other things than multiplying.',
      backwards,
      LEFT_OUT,
    ],
  },
  {
    reason: 'transfers-not-the-least',
    outcome: 'inconclusive',
    when: all(climbs, below('step-ms $movedFastest', `step-ms ${TRANSFERS_ONLY}`)),
    text: 'A step with {$fastest} took {step-ms $movedFastest}, less than its transfers alone, {step-ms transfers-only}. That cannot be: something disturbed the run. Run it again, with nothing else busy.',
    explain: [
      'A step that uploads, multiplies and reads back took less time than the same step without the multiplication. So the transfers alone were measured too slow, or something changed during the run, and nothing is concluded from it.',
      withTransfers,
      LEFT_OUT,
    ],
  },
  {
    reason: 'step-unexplained',
    outcome: 'inconclusive',
    when: all(climbs, mostlyNotKernel, surelyLessThan(transfersShare, MOST)),
    text: [
      'Of a step with {$fastest}, {not-kernel-share $movedFastest} is not the kernel, yet the transfers alone take only {step-ms transfers-only} of its {step-ms $movedFastest}.',
      'Something else takes the time: see in the timeline what the host does.',
    ],
    explain: [
      climb(),
      withTransfers,
      'The transfers alone took {step-ms transfers-only}. Kernel and transfers together do not make up the step, so neither is what it waits for. Submitting may have held the host up, completion may have been reported late, or the machine was busy with something else: the timeline shows which span is long.',
      LEFT_OUT,
    ],
  },
  {
    reason: 'transfers-take-over',
    outcome: 'shown',
    when: all(
      climbs,
      mostlyNotKernel,
      surelyAtLeast(transfersShare, MOST),
      below('best-step-speedup', 'best-speedup'),
    ),
    text: [
      climb(ALONE),
      STEPS,
      'Of a step with the fastest kernel, {not-kernel-share $movedFastest} is not the kernel.',
    ],
    explain: [
      climb(),
      withTransfers,
      limit,
      'This is Amdahl’s law: what you make faster shortens the whole by its own share only, and each success makes that share smaller.',
      'What helps is not in the kernel. Leave the matrices on the device between steps; move less; do more with what was moved. Or let the next upload run while this matmul does, which hides the shorter of the two, and only that.',
      backwards,
      LEFT_OUT,
    ],
  },
  {
    reason: 'kernel-dominates',
    outcome: 'not-shown',
    when: all(climbs, surelyLessThan('not-kernel-share $movedFastest', MOST)),
    text: [
      climb(ALONE),
      STEPS,
      'Even with the fastest kernel only {not-kernel-share $movedFastest} of a step is not the kernel, so here a faster kernel still helps.',
    ],
    explain: [
      climb(),
      withTransfers,
      limit,
      'Here even the fastest kernel is still the larger part of the step, so a faster one would still help, and the transfers are not yet what to look at. How far that holds depends on the work for each byte: try small matrices, for which the transfers weigh more.',
      backwards,
      LEFT_OUT,
    ],
  },
  {
    reason: 'intervals-overlap',
    outcome: 'inconclusive',
    when: always,
    text: {
      when: climbs,
      text: [
        climb(ALONE),
        STEPS,
        'Kernel and transfers take about equally long here, or the repeats spread too far to call it: change the size, or run more repeats.',
      ],
      otherwise: [
        climb('Here '),
        'The repeats spread too far to call it. Run more of them, with nothing else busy.',
      ],
    },
    explain: [
      'The intervals of this run overlap where the answer would be, so no conclusion is drawn. More repeats narrow them; another size moves kernel and transfers apart.',
      climb(),
      withTransfers,
      limit,
      LEFT_OUT,
    ],
  },
]
