/** What a run of sync-stalls shows. `$often` is the variant that read most often, `$seldom` the next one. */
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
  param,
  surelyLessThan,
} from '../declare/condition'
import type { Rule } from '../declare/rule'
import type { Text } from '../declare/template'

/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/** 'never' itself must keep the device busy, or something else starves it. */
const BUSY_ENOUGH = 0.5
/** A host that is free for less than this without a single read is itself what takes the time. */
const HOST_FREE_ENOUGH = 0.25
/** A wait for one read must be at least so much of a step: else the reads are not what makes the step long. */
const WAITS_ENOUGH = 0.5

const slower = all(below('step-ms never', 'step-ms $often'), atLeast('slowdown $often', WORTH_REPORTING))
const ofShape = param('read', 'shape')

const times: Text = 'A step takes {step-ms never} when nothing is read and {step-ms $often} with {$often}.'

const busy: Text = [
  {
    when: measured('device-busy-ratio never', 'device-busy-ratio $often'),
    text: 'Without reads, [[device:the device]] computed for {device-busy-ratio never} of the time. {$readWords} read back {$oftenWords} brought that down to {device-busy-ratio $often}: it was {device-busy-ratio $often | idle}.',
  },
  'A step took {step-ms $often} instead of {step-ms never}: {slowdown $often | times} as long.',
]

const stall: Text = [
  'For each readback [[wait:the host waited]] {stall-ms $often}.',
  'The device was [[idle:idle]] for {idle-per-stall-ms $often} each time, and the kernel of a step takes {kernel-ms $often}: the idle time is {idle-per-stall-ms $often / kernel-ms $often | times} the work.',
]

const kernelItself: Text = [
  {
    when: overlaps('kernel-ms never', 'kernel-ms $often'),
    text: 'The kernel itself took as long as ever, {kernel-ms never} against {kernel-ms $often}. Nothing ran slower; it ran later.',
  },
  {
    when: below('kernel-ms never', 'kernel-ms $often'),
    text: 'The kernel itself took longer too, {kernel-ms $often} against {kernel-ms never}. A device that is often idle may lower its clock rate, and the first pass after a pause then pays for it.',
  },
  {
    when: below('kernel-ms $often', 'kernel-ms never'),
    text: 'The kernel itself took less time, {kernel-ms $often} against {kernel-ms never}, so it is not the kernel that a readback slows down.',
  },
]

const why: Text = {
  when: param('read', 'matrix'),
  text: 'Two things add up here. The host waits until everything queued before the copy is done, and then for the bytes themselves. Compare with a run that reads 4 bytes: both share the waiting, and what this one adds is the matrix.',
  otherwise: {
    when: param('read', 'branch'),
    text: 'An `if` on a value that the device has computed is a readback like any other. It is the hardest to avoid, because the next submission depends on its outcome.',
    otherwise:
      'It is not the bytes. Four of them cross any bus in less time than a clock can show. The host waits until everything queued before the copy is done, and then until the browser reports it; only then does it submit the next step. By that time the queue has long been empty.',
  },
}

const seldom: Text = {
  when: measured('step-ms $seldom'),
  text: [
    'Reading {$seldomWords} instead took {step-ms $seldom} a step.',
    'The device was then busy for {device-busy-ratio $seldom} of the time.',
    'The host waits once for each read: ask for the number less often, and more steps share one wait.',
  ],
}

const curve: Text = {
  when: measured('stall-ms $short', 'stall-ms $long'),
  text: [
    'The wait is not a fixed sum on top of the kernel. After a kernel of {kernel-ms $short} the host waited {stall-ms $short}, after one of {kernel-ms $long} no longer, {stall-ms $long}; the device idled for {idle-per-stall-ms $short} and for {idle-per-stall-ms $long}. The longer kernel used up time in which the device would have idled: the browser looks for finished work at certain times, and both kernels were done before the same look.',
    'After {kernel-ms $next} the wait was {stall-ms $next}: that kernel was reported at a later look.',
  ],
}

const tookShape: Text =
  'A step took {step-ms never} without reading and {step-ms $often} when the shape was read {$oftenWords}.'

export const syncStallsRules: readonly Rule[] = [
  {
    reason: 'metadata-is-free',
    outcome: 'shown',
    when: all(ofShape, surelyLessThan('slowdown $often', WORTH_REPORTING)),
    text: ['Reading the shape costs nothing that this run could measure.', times],
    explain: [
      [tookShape, 'Reading the shape cost nothing, or next to nothing.'],
      'Shape, element type, strides and device are facts that the host wrote down when it made the buffer or tensor. No command is queued, no byte travels, nothing is waited for. The *values* are what the device has and the host does not.',
      'The device went on computing meanwhile, for {device-busy-ratio $often} of the time.',
    ],
  },
  {
    reason: 'metadata-not-free',
    outcome: 'not-shown',
    when: all(ofShape, below('step-ms never', 'step-ms $often')),
    text: [
      'Reading only the shape should cost nothing, yet the steps differ.',
      times,
      'Something else slowed the host; run again.',
    ],
    explain: [
      [
        tookShape,
        'The shape cannot be the cause. The host has it in its own memory; no command is queued for it and nothing is waited for. Something else held the host up during part of this run.',
      ],
      'Close what else is using the CPU and run again, with more repeats.',
    ],
  },
  {
    reason: 'host-bound',
    outcome: 'inconclusive',
    when: all(
      not(ofShape),
      measured('slowdown $often'),
      any(
        lessThan('device-busy-ratio never', BUSY_ENOUGH),
        surelyLessThan('host-free-ratio never', HOST_FREE_ENOUGH),
      ),
    ),
    text: [
      {
        when: surelyLessThan('host-free-ratio never', HOST_FREE_ENOUGH),
        text: 'Even without reads the host was free for only {host-free-ratio never} of the time: encoding and submitting took the rest.',
        otherwise: 'Even without reads the device was busy for only {device-busy-ratio never} of the time.',
      },
      'Here the host sets the pace, so what a read costs does not show. Choose longer kernels; if the host is no freer then, submitting itself blocks here.',
    ],
    explain: [
      [
        'Without a single readback the host was free for {host-free-ratio never} of the time.',
        'The device was computing for {device-busy-ratio never} of the time, with {kernel-ms never} a kernel.',
        'Here the host did not hand over steps as fast as the device can run them. A device that is starved already has less to lose to a stall.',
      ],
      'To see the stall by itself, give each kernel more time, so that the queue has something in it.',
      stall,
    ],
  },
  {
    reason: 'stall-hidden-by-long-kernel',
    outcome: 'not-shown',
    when: all(below('step-ms never', 'step-ms $often'), lessThan('slowdown $often', WORTH_REPORTING)),
    text: [
      'Reading adds little to steps this long.',
      times,
      'The device idled for {idle-per-stall-ms $often} for each read, beside a kernel of {kernel-ms never}.',
      'Choose shorter kernels.',
    ],
    explain: [
      busy,
      stall,
      'The wait is there, but a step this long hardly shows it: most of the wait passes while the kernel is still running. Make the kernel shorter, and the device idles for the rest of the wait.',
      curve,
    ],
  },
  {
    reason: 'stall-dominates',
    outcome: 'shown',
    when: all(slower, atLeast('stall-ms $often / step-ms $often', WAITS_ENOUGH)),
    text: [
      'Reading back made a step {slowdown $often | times} as long.',
      times,
      'The device was busy {device-busy-ratio never} of the time without reads, {device-busy-ratio $often} with them.',
    ],
    explain: [busy, [stall, kernelItself], why, seldom, curve],
  },
  {
    reason: 'not-the-reads',
    outcome: 'inconclusive',
    when: all(slower, measured('stall-ms $often')),
    text: [
      times,
      'But the host waited only {stall-ms $often} for a read, so something else made the steps long. Close what else is running, and run again.',
    ],
    explain: [
      busy,
      stall,
      'The waits are too short to explain the difference. The time went elsewhere: into calls that were slow, or to other programs. In the timeline, look for what fills the host lane.',
    ],
  },
  {
    reason: 'intervals-overlap',
    outcome: 'inconclusive',
    when: any(overlaps('step-ms never', 'step-ms $often'), below('step-ms $often', 'step-ms never')),
    text: [
      'The repeats do not tell reading from not reading.',
      times,
      'Choose shorter kernels, more steps or more repeats.',
    ],
    explain: [
      [
        'The repeats of this run differ from one another by more than reading and not reading do, so no conclusion is drawn.',
        'A step took {step-ms never} without reading and {step-ms $often} when reading {$oftenWords}.',
        'More repeats narrow the intervals; shorter kernels make the stall larger beside them.',
      ],
      stall,
    ],
  },
  {
    reason: 'nothing-to-compare',
    outcome: 'inconclusive',
    when: always,
    text: "Nothing to compare: the run needs 'never' and one variant that reads, both recorded.",
    explain: [
      "Nothing to compare: the run needs **never** and one variant that reads, both recorded. Choose both under 'How often'.",
      curve,
    ],
  },
]
