/** What a run of async-submission shows. */
import {
  all,
  always,
  any,
  atLeast,
  below,
  lessThan,
  measured,
  overlaps,
  param,
  surelyAtLeast,
  surelyLessThan,
} from '../declare/condition'
import type { Rule } from '../declare/rule'
import type { Text } from '../declare/template'

/** The host must be free for at least half of the run. */
const MOSTLY_FREE = 0.5
/** A kernel must last some times what submitting it costs, or the device waits for the host instead. */
const LONG_ENOUGH = 3
/** Below this share of the kernel, submit() did return before the kernel ended. */
const RETURNS_EARLY = 0.5
/** Without timestamps a queued step stands for its kernel: it is at least as long. */
const KERNEL = 'kernel-ms queued ?? step-ms queued'
const HALF_A_MICROSECOND = 0.5

const handingOver: Text = [
  'With everything queued, [[host:the host]] was free for {host-free-ratio queued} of the run. A step cost it {encode-us queued} to encode and {submit-us queued} inside `submit()`.',
  {
    when: atLeast('kernel-ms queued / submit-us queued', 1),
    text: 'The kernel that such a call started kept [[device:the device]] busy for {kernel-ms queued}, at least {kernel-ms queued / submit-us queued | at-least} as long. A clock around `submit()` times the call and not the kernel.',
  },
]

const depth: Text = [
  '[[queue:The queue]] grew to {queue-depth-max queued} submissions: that is how far ahead the host got.',
  'From its first pass to its last the device was computing for {device-busy-ratio queued} of the time.',
  // Where the start of a pass is stamped early the gap comes out negative: there is none to report.
  {
    when: atLeast('launch-gap-us queued', 0.001),
    text: 'Between two passes that were both queued it was idle for {launch-gap-us queued}.',
  },
]

const busyBoth: Text =
  'The device was computing for {device-busy-ratio await-each} of the time, against {device-busy-ratio queued} with a full queue.'

/** Queued against awaiting each, and why they differ or do not. */
const waiting: Text = [
  {
    when: below('step-ms queued', 'step-ms await-each'),
    text: [
      'Waiting after every step made a step take {step-ms await-each} instead of {step-ms queued}.',
      busyBoth,
      '[[wait:Waiting]] gave the host no more work. What was missing was work in the queue: when a kernel ended, no other was queued behind it, and none could be until its completion was reported and the host submitted again.',
    ],
  },
  {
    when: overlaps('step-ms queued', 'step-ms await-each'),
    text: [
      "Waiting after every step made no difference to a step's time that this run can tell: {step-ms await-each} against {step-ms queued}, and the two intervals overlap.",
      busyBoth,
    ],
  },
  {
    when: below('step-ms await-each', 'step-ms queued'),
    text: 'A step was shorter when the host waited after each, {step-ms await-each} against {step-ms queued}. An emptier queue cannot bring that about; something on this machine differed between the two, such as its clock rate or other programs. Run it again with more repeats.',
  },
]

const reported: Text = {
  when: measured('completion-lag-ms $lagging'),
  text: 'Completion was reported to the host {completion-lag-ms $lagging} after the device had ended. Between the two, the browser has to look for finished work, send a message to another process, and wait for the event loop of the program. So the moment a promise settles is not the moment the device ended: besides encoded, submitted, started and ended, a command has a fifth time, *reported*.',
}

const asksForLonger = 'Choose longer kernels.'

export const asyncSubmissionRules: readonly Rule[] = [
  {
    reason: 'submit-blocked',
    outcome: 'not-shown',
    when: atLeast(`submit-us queued / (${KERNEL})`, RETURNS_EARLY),
    text: 'submit() itself took {submit-us queued}, at least half as long as the work it started: the browser held the host back here.',
    explain: [
      '`submit()` did not return at once here: it held the host for {submit-us queued} a call. Commands travel from the page to another process of the browser through a buffer of limited size. When that process falls behind, or has no core to run on, the page may have to wait for room. A page can see that the call was slow, not why; the reason given here is inferred.',
      'Try fewer steps, so that less is queued at once, and close what else is using the CPU.',
      waiting,
    ],
  },
  {
    reason: 'kernel-too-short',
    outcome: 'inconclusive',
    when: lessThan(`(${KERNEL}) / (submit-us queued + encode-us queued)`, LONG_ENOUGH),
    text: {
      when: measured('kernel-ms queued'),
      text: `A kernel took {kernel-ms queued}, little more than encoding and submitting it. ${asksForLonger}`,
      otherwise: `A step took {step-ms queued}, little more than encoding and submitting it. ${asksForLonger}`,
    },
    explain: [
      [
        'A kernel took the device {kernel-ms queued}.',
        'A step took the host {encode-us queued} to encode, and {submit-us queued} inside `submit()`.',
        'The host needed a good part of the time of a step to hand over the next one, so it could not get far ahead. Where kernels are shorter still, the queue runs dry and the host sets the pace.',
        'At its deepest the queue held {queue-depth-max queued} submissions.',
      ],
      'That is a finding too. Where kernels are this small, the remedy is fewer and larger submissions: several passes in one command buffer, or one kernel that does the work of several. To see the host run ahead, give each kernel more time.',
      reported,
    ],
  },
  {
    reason: 'no-difference',
    outcome: 'not-shown',
    when: surelyLessThan('host-free-ratio queued', MOSTLY_FREE),
    text: 'The host was free for only {host-free-ratio queued} of the run. Choose longer kernels, so that submitting weighs less.',
    explain: [
      handingOver,
      'So the host did not get far ahead: for a good part of the run it was busy handing over what the device was waiting for. Longer kernels change that, since a step costs the host the same however long it runs.',
      waiting,
      reported,
    ],
  },
  {
    reason: 'queue-stayed-empty',
    outcome: 'not-shown',
    when: all(lessThan('queue-depth-max queued', 2), atLeast('param.steps', 2)),
    text: 'The queue never held more than {queue-depth-max queued} submission: the host waited for each step before it submitted the next, although nothing asked it to.',
    explain: [
      'The queue never held more than {queue-depth-max queued} submission. The host did not get ahead of the device: each step was reported complete before the next was submitted.',
      waiting,
      reported,
    ],
  },
  {
    reason: 'host-runs-ahead',
    outcome: 'shown',
    when: all(
      surelyAtLeast('host-free-ratio queued', MOSTLY_FREE),
      measured('submit-us queued', 'step-ms queued'),
      any(atLeast('queue-depth-max queued', 2), param('steps', 1)),
    ),
    text: [
      {
        when: lessThan('submit-us queued', HALF_A_MICROSECOND),
        text: "submit() returned within a step of the host's clock.",
        otherwise: 'submit() returned after {submit-us queued}.',
      },
      'The kernel it started ran for {kernel-ms queued}.',
      'The host was free for {host-free-ratio queued} of the run.',
      {
        when: below('step-ms queued', 'step-ms await-each'),
        text: 'Queued, a step took {step-ms queued}; awaited one by one, {step-ms await-each}.',
      },
      {
        when: overlaps('step-ms queued', 'step-ms await-each'),
        text: 'Awaiting each step made no difference beyond the spread: {step-ms queued} and {step-ms await-each}.',
      },
    ],
    explain: [handingOver, depth, waiting, reported],
  },
  {
    reason: 'intervals-overlap',
    outcome: 'inconclusive',
    when: measured('host-free-ratio queued', 'step-ms queued'),
    text: `The host was free for {host-free-ratio queued} of the run, and the repeats spread too far for a conclusion. ${asksForLonger}`,
    explain: [
      [
        'The repeats of this run spread too far for a conclusion.',
        'A step took {step-ms queued} queued and {step-ms await-each} with a wait after each.',
        'More repeats narrow the intervals; other programs and a machine that runs hot widen them.',
      ],
      handingOver,
    ],
  },
  {
    reason: 'nothing-to-compare',
    outcome: 'inconclusive',
    when: always,
    text: 'The run gave no samples to judge by.',
    explain: ['The run was not recorded, so nothing is known of what the host did in it.'],
  },
]
