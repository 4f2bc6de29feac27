/**
 * What a run of overlapped-uploads shows. `$best` is the ring that hid most, `$main` the shallowest of two or more (a ring of one where
 * nothing deeper was run), `$deepest` the deepest beyond that.
 */
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
  software,
  surelyAtLeast,
  surelyLessThan,
} from '../declare/condition'
import type { Names } from '../declare/facts'
import type { Rule } from '../declare/rule'
import type { Text } from '../declare/template'
import { findMetric, type Metric } from '../../trace/report'
import { ringDepth, ringVariant } from './variants'

/** Half of the shorter one hidden is overlap that a person would notice. */
const CLEAR_OVERLAP = 0.5
const NO_OVERLAP = 0.2
/** Where one of the two is this small beside the other there is nothing to hide. */
const TINY = 0.15
/** More than the whole of the shorter one cannot be hidden; so much more is no spread. */
const MORE_THAN_ALL = 1.15
/** Over the longer of the two: one after the other cannot take less than 1. */
const LESS_THAN_EITHER = 0.95
/** Waiting for a buffer makes up this much of an upload: then it is the browser's report that takes the time, not the bytes. */
const MOSTLY_WAITING = 0.7
/** Computing alone, the host has nothing to do but to submit. */
const FREE_WHILE_COMPUTING = 0.5
/** GB/s: a PCIe 5 link of 16 lanes, 16 · 32 Gbit/s in blocks of 130 bits for 128. */
const PCIE_5_GB_PER_S = 63

const inWords = (variant: string): string =>
  ringDepth(variant) === 1 ? 'a ring of one' : `a ring of ${String(ringDepth(variant))}`

export function namesOf(metrics: readonly Metric[]): Names {
  const valueOf = (name: string, variant: string) => findMetric(metrics, name, variant)?.value ?? -Infinity
  const depths = metrics
    .filter(({ name, variant, value }) => name === 'step-ms' && ringDepth(variant) > 0 && value !== null)
    .map(({ variant }) => ringDepth(variant))
    .toSorted((a, b) => a - b)
  const rings = depths.map(ringVariant)
  const [best = null] = rings
    .filter((ring) => valueOf('overlap-efficiency', ring) > -Infinity)
    .toSorted((a, b) => valueOf('overlap-efficiency', b) - valueOf('overlap-efficiency', a))
  const main = rings.find((ring) => ringDepth(ring) >= 2) ?? rings[0] ?? null
  const last = rings.at(-1) ?? null
  const deepest = main !== null && last !== main && ringDepth(main) >= 2 ? last : null
  return {
    best,
    main,
    deepest,
    bestRing: best && inWords(best),
    mainRing: main && inWords(main),
    deepestRing: deepest && inWords(deepest),
  }
}

const shorter = 'min(step-ms compute-only, step-ms upload-only)'
const longer = 'max(step-ms compute-only, step-ms upload-only)'

const figures: Text = [
  'Compute alone takes {step-ms compute-only} a step, upload alone {step-ms upload-only}, one after the other {step-ms serial}, with {$bestRing} {step-ms $best}.',
]

/** Each alone, and one after the other. */
const parts: Text = [
  'By itself, [[device:computing]] took {step-ms compute-only} a step, and [[staging:uploading]], through several buffers in turn, {step-ms upload-only}.',
  'One after the other they took {step-ms serial}.',
  {
    when: below('step-ms compute-only + step-ms upload-only', 'step-ms serial'),
    text: "That is more than the sum of the two. An upload has parts of its own, the host's writing and the browser's carrying, and with several buffers those overlap each other. One after the other, even that is lost, and each step waits until its end is reported.",
  },
]

/** Both at once, against the longer of the two alone. */
const together: Text = [
  'With {$mainRing} a step took {step-ms $main}.',
  'That is {versus-ideal $main | times} the ideal, which is the longer of the two by itself.',
  {
    when: atLeast('overlap-efficiency $main', Number.EPSILON),
    text: 'Of what could be hidden, the shorter of the two, {overlap-efficiency $main} was.',
    otherwise:
      'Nothing was hidden: together they took no less time than each alone, added up (overlap {overlap-efficiency $main}).',
  },
]

/** Why one buffer is not enough; or, with separate submissions, may be. */
const one: Text = [
  {
    when: overlaps('step-ms ring-1', 'step-ms serial'),
    text: [
      'A ring of one gained nothing that can be told from serial: {step-ms ring-1} against {step-ms serial}.',
      {
        when: param('submission', 'split'),
        text: 'Its only buffer is [[staging:in flight]] until the end of the copy is reported, which was too late here for the host to write the next batch in time.',
        otherwise:
          'Its only buffer is [[staging:in flight]] until the whole submission that reads it has ended, the matmul included. Until then the host has nowhere to put the next batch.',
      },
    ],
  },
  {
    when: below('step-ms ring-1', 'step-ms serial'),
    text: {
      when: param('submission', 'split'),
      text: 'Even a ring of one beat serial, {step-ms ring-1} against {step-ms serial}: with the copy in a submission of its own, the buffer comes back as soon as the copy has ended, while the matmul still runs.',
      otherwise:
        'A ring of one took less time than serial, {step-ms ring-1} against {step-ms serial}. It cannot write to its buffer while that is in flight, but it waits once a step, for the buffer, where serial waits for the result first.',
    },
  },
  {
    when: below('step-ms serial', 'step-ms ring-1'),
    text: 'A ring of one took longer than serial, {step-ms ring-1} against {step-ms serial}: its one buffer is asked for and awaited in every step, and nothing is gained in return.',
  },
]

/** Does a deeper ring help? */
const deeper: Text = [
  {
    when: overlaps('step-ms $deepest', 'step-ms $main'),
    text: 'More buffers changed nothing that can be told from the spread: {step-ms $deepest} with {$deepestRing}, {step-ms $main} with {$mainRing}. Two are enough for one to be written while the other is away; more of them help only where the time of a step varies, and cost memory.',
  },
  {
    when: below('step-ms $deepest', 'step-ms $main'),
    text: 'More buffers helped: {step-ms $deepest} with {$deepestRing} against {step-ms $main} with {$mainRing}. A buffer comes back late, because the end of a submission is reported late; with more of them the host need not wait for the report.',
  },
  {
    when: below('step-ms $main', 'step-ms $deepest'),
    text: 'More buffers made it slower: {step-ms $deepest} with {$deepestRing} against {step-ms $main} with {$mainRing}. More memory in turn means fewer hits in the CPU’s caches, and more work under way at once.',
  },
]

/** Where the bytes crossed, as far as the rate of the device's copy can show it. */
const crossing: Text = [
  'The [[transfer:copy on the device]] took {device-copy-ms $main} at most, so it ran at {device-copy-gb-per-s $main} at least.',
  {
    when: software,
    text: 'On a software adapter there is no bus: that copy is one within the memory of the host.',
    otherwise: [
      {
        when: surelyAtLeast('device-copy-gb-per-s $main', PCIE_5_GB_PER_S),
        text: 'That is more than a PCIe 5 link of 16 lanes carries (63 GB/s), so this copy crossed none. Either the bytes had crossed before it, when the browser handled `unmap()`, as we found with Chromium on Linux, Vulkan and an NVIDIA GPU; or host and device share their memory, and there is no bus to cross.',
      },
      {
        when: lessThan('device-copy-gb-per-s $main', PCIE_5_GB_PER_S),
        text: 'A PCIe 5 link of 16 lanes carries 63 GB/s, so this copy may be the crossing itself. It is where a browser keeps staging buffers in memory of the host, as Chromium does with Direct3D 12. It may also be a copy within memory that host and device share, or a batch so small that the bracket takes longer than the copy. The rate alone does not tell which.',
      },
    ],
  },
]

const mechanism: Text = [
  "What overlaps here is the host's share of an upload with the device's computing.",
  '[[host:Writing]] a staging buffer took the host {fill-ms $main}.',
  'After that the browser carries the bytes on, where a page has no clock.',
  crossing,
  'Nothing in these figures shows that a copy engine ran beside a kernel.',
]

/** Which of the two was the longer, in words and as a ratio. */
const lopsided: Text = {
  when: atLeast('step-ms compute-only / step-ms upload-only', 1),
  text: 'Computing takes {step-ms compute-only / step-ms upload-only | times} as long as uploading.',
  otherwise: 'Uploading takes {step-ms upload-only / step-ms compute-only | times} as long as computing.',
}

const clearlyHidden = surelyAtLeast('overlap-efficiency $best', CLEAR_OVERLAP)

const contradiction: Text =
  'Overlap is worked out from the two measured alone, and those figures contradict the others. Something slowed them down and not the rest: another program, a device that lowered its clock rate, a call that keeps the host. No conclusion can stand on them.'

export const overlappedUploadsRules: readonly Rule[] = [
  {
    reason: 'serial-too-fast',
    outcome: 'inconclusive',
    when: any(below('step-ms serial', longer), lessThan('versus-ideal serial', LESS_THAN_EITHER)),
    text: [
      figures,
      'One after the other cannot be faster than the longer of the two alone, so something disturbed this run. Close what else is running, and run again.',
    ],
    explain: [parts, contradiction],
  },
  {
    reason: 'nothing-to-hide',
    outcome: 'inconclusive',
    when: all(measured('overlap-efficiency $best'), lessThan(`${shorter} / ${longer}`, TINY)),
    text: [
      figures,
      'One is so short beside the other that hiding it changes little: choose a balance nearer 1.',
    ],
    explain: [
      [parts, lopsided],
      'The shorter of the two is all that overlap can ever save. Where one is tiny, even a perfect ring changes next to nothing, and serial code is the simpler choice. Bring the two closer to each other and run again.',
      together,
    ],
  },
  {
    reason: 'reported-late',
    outcome: 'inconclusive',
    when: atLeast('derived.roundTripMs / derived.uploadDepth / step-ms upload-only', MOSTLY_WAITING),
    text: [
      figures,
      'But this browser takes about {derived.roundTripMs} ms to report that work is done, so a staging buffer is away for that long whatever it carries. A ring hides that wait here; whether it hides the upload does not show.',
    ],
    explain: [
      parts,
      'A staging buffer comes back when the browser reports that its submission has ended, here after about {derived.roundTripMs} ms, however little was uploaded. Several buffers share one such wait, which makes every ring look good, and uploading alone look slow. Larger batches make the upload count for more, where the browser reports often enough.',
      together,
      one,
    ],
  },
  {
    reason: 'submit-blocks',
    outcome: 'not-shown',
    when: surelyLessThan('host-free-ratio compute-only', FREE_WHILE_COMPUTING),
    text: [
      figures,
      'But the host was free for only {host-free-ratio compute-only} of the time when it had nothing to do but submit: `submit()` did not return at once, so there was no time to fill the next batch.',
    ],
    explain: [
      parts,
      'A ring works because `submit()` returns before the work is done. Computing alone, the host only encodes and submits, and was still busy for all but {host-free-ratio compute-only} of the time. Look at the host lane for what took so long.',
      together,
    ],
  },
  {
    reason: 'more-than-all',
    outcome: 'inconclusive',
    when: any(
      surelyAtLeast('overlap-efficiency $best', 1),
      atLeast('overlap-efficiency $best', MORE_THAN_ALL),
    ),
    text: [
      figures,
      'That would hide {overlap-efficiency $best} of the shorter one, more than there is. Close what else is running, and run again.',
    ],
    explain: [parts, together, contradiction],
  },
  {
    reason: 'serial-beats-sum',
    outcome: 'inconclusive',
    when: all(clearlyHidden, atLeast('overlap-efficiency serial', NO_OVERLAP)),
    text: [
      figures,
      'The ring takes less time than the two alone added up, but so does one after the other, which hides nothing: it is below the sum by {overlap-efficiency serial} of the shorter one. The two alone are not what the steps are made of here. Against serial the ring saves {saved-of-serial $best} of the shorter one.',
    ],
    explain: [parts, together, contradiction, one],
  },
  {
    reason: 'overlap',
    outcome: 'shown',
    when: all(clearlyHidden, surelyAtLeast('saved-of-serial $best', CLEAR_OVERLAP)),
    text: [figures, 'So {overlap-efficiency $best} of the shorter one is hidden behind the longer.'],
    explain: [parts, together, [one, deeper], mechanism],
  },
  {
    reason: 'serial-as-fast',
    outcome: 'not-shown',
    when: all(clearlyHidden, surelyLessThan('saved-of-serial $best', CLEAR_OVERLAP)),
    text: [
      figures,
      'The ring takes less time than the two added up, but hardly less than one after the other: against it, the ring saves {saved-of-serial $best} of the shorter one.',
    ],
    explain: [
      parts,
      together,
      'A ring is worth its buffers where it beats serial, and this one hardly did. Something makes the ring wait as serial does: look at the host lane where the device is idle.',
      one,
    ],
  },
  {
    reason: 'cores-shared',
    outcome: 'not-shown',
    when: all(software, surelyLessThan('overlap-efficiency $best', CLEAR_OVERLAP)),
    text: [
      figures,
      "On this software adapter the 'device' is the same CPU that fills the batches, so there is little to overlap.",
    ],
    explain: [
      parts,
      together,
      'Here both lanes are the same CPU. Filling a buffer needs a core, and so does every workgroup of the matmul: what one of them gains, the other loses. An overlap needs two machines, or at least cores that nothing else wants.',
      one,
      'The states of the staging buffers are as real as on a GPU. Follow one of them through free, mapping, mapped, filled and in flight; then watch the same lesson with the recorded run of a GPU.',
    ],
  },
  {
    reason: 'no-overlap',
    outcome: 'not-shown',
    when: surelyLessThan('overlap-efficiency $best', NO_OVERLAP),
    text: [
      figures,
      'Uploading and computing took turns on this machine: only {overlap-efficiency $best} was hidden.',
    ],
    explain: [
      parts,
      together,
      'Both took long enough to be worth hiding, and yet together they took about as long as one after the other. Look at the staging lanes where the device is idle. *In flight* or *mapping* there: the buffer came back too late, because the browser was still carrying bytes, or because the end of a submission was reported late. *Filled*: the host was the slower one.',
      'Behind the page, one thread of the browser both carries staged bytes and takes in commands. On a machine with few cores, or with memory shared between CPU and GPU, the two sides compete for what they share. A page cannot see which it was; this is inferred.',
      one,
    ],
  },
  {
    reason: 'partial-overlap',
    outcome: 'not-shown',
    when: all(
      surelyAtLeast('overlap-efficiency $best', NO_OVERLAP),
      surelyLessThan('overlap-efficiency $best', CLEAR_OVERLAP),
    ),
    text: [figures, 'Some of the shorter one is hidden ({overlap-efficiency $best}), but less than half.'],
    explain: [
      'The answer on this machine is *partly*.',
      parts,
      together,
      'Some of the shorter one was hidden and some was not. Look in the timeline for what stands between: a staging buffer that came back late, a host that filled more slowly than the device computed, or a device that waited for bytes still being carried.',
      [one, deeper],
    ],
  },
  {
    reason: 'intervals-overlap',
    outcome: 'inconclusive',
    when: always,
    text: {
      when: measured('overlap-efficiency $best'),
      text: [figures, 'The repeats spread too far to call it: run more of them, with nothing else busy.'],
      otherwise: 'The run gave no samples to judge by.',
    },
    explain: [
      {
        when: measured('overlap-efficiency $best'),
        text: 'This run allows no clear answer.',
        otherwise: 'The run gave no samples to judge by.',
      },
      parts,
      together,
      {
        when: measured('overlap-efficiency $best'),
        text: 'Where the intervals are wide, more repeats narrow them, and more batches in each repeat make its start and end, where nothing can overlap, count for less.',
      },
    ],
  },
]
