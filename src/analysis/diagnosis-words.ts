/** The words of a diagnosis: one place for the page and the command line. Short sentences, the reader's terms (PyTorch's, CUDA's). */
import type { CopyTotal, DeviceSummary } from './devices'
import {
  MINOR_SHARE,
  NAMED_SHARE,
  type Diagnosis,
  type Excuse,
  type Fault,
  type Finding,
  type SourceLine,
  type VerdictKind,
} from './faults'
import { bytesText, counted, durationText, percentText, plain } from '../base/figures'
import { CAUSES } from '../trace/gap-causes'
import type { Coverage } from './coverage'
import { oneLine } from './wording'

interface FaultWords {
  readonly title: string
  readonly sentence: (share: number) => string
  readonly mend: string
  /** The same in WebGPU's terms. */
  readonly onPage?: string
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const FAULT_WORDS: Readonly<Record<Fault, FaultWords>> = {
  'read-back': {
    title: capital(CAUSES['read-back'].label),
    sentence: (share) =>
      `The program reads results back and waits for them: this left the GPU idle for ${percentText(share)} of the time.`,
    mend: 'Read less often: keep the values on the GPU and fetch them together. .item(), .cpu(), print(tensor), if tensor: and nonzero() all wait.',
    onPage:
      'Read less often, or a frame later: with two readback buffers the next work is submitted before mapAsync() is awaited.',
  },
  'late-upload': {
    title: capital(CAUSES['late-upload'].label),
    sentence: (share) =>
      `The program prepares the next batch only after the GPU has finished the last: this left the GPU idle for ${percentText(share)} of the time.`,
    mend: 'Prepare the next batch while this one is computed: two pinned buffers and an event for each, or a DataLoader with workers and pin_memory=True.',
    onPage:
      'Fill the next staging buffer while this batch is computed: two of them, and await mapAsync() of one while the other is in flight.',
  },
  synchronise: {
    title: capital(CAUSES.synchronise.label),
    sentence: (share) =>
      `The program waits for the GPU before it launches more: this left the GPU idle for ${percentText(share)} of the time.`,
    mend: 'Take torch.cuda.synchronize() and waits for events out of the loop. They are for timing.',
    onPage:
      'Take onSubmittedWorkDone() out of the loop: submit the next work first. The queue keeps the order.',
  },
  'pageable-copies': {
    title: capital(CAUSES['pageable-copies'].label),
    sentence: (share) =>
      `Copies from or to pageable memory, and the gaps they leave, took ${percentText(share)} of the time: no kernel ran beside them.`,
    mend: 'Copy from pinned memory (pin_memory=True in the DataLoader) with non_blocking=True. It is faster, and the host does not wait.',
  },
  'lone-copies': {
    title: 'Copies and kernels take turns',
    sentence: (share) =>
      `For ${percentText(share)} of the time the GPU only copied, where a kernel could have run too: copies and kernels take turns.`,
    mend: 'Copy the next batch on a second stream while this one is computed.',
  },
  'data-loading': {
    title: capital(CAUSES['data-loading'].label),
    sentence: (share) =>
      `The GPU was idle for ${percentText(share)} of the time while the host loaded data and had launched nothing.`,
    mend: 'Load ahead: num_workers and prefetch_factor of the DataLoader, less work for each sample.',
  },
  'small-kernels': {
    title: capital(CAUSES['small-kernels'].label),
    sentence: (share) =>
      `Kernels end before the next is launched: this left the GPU idle for ${percentText(share)} of the time.`,
    mend: 'Launch fewer and longer kernels: larger batches, torch.compile, CUDA graphs.',
    onPage:
      'Submit fewer and longer passes: several in one command buffer, several command buffers in one submit().',
  },
  'host-busy': {
    title: capital(CAUSES['host-busy'].label),
    sentence: (share) =>
      `The GPU was idle for ${percentText(share)} of the time while the host did other work and had launched nothing.`,
    mend: 'Move this work out of the loop, to another thread, or to before the GPU runs dry.',
    onPage: 'Submit before this work, or move it to a worker.',
  },
  'slow-start': {
    title: capital(CAUSES['slow-start'].label),
    sentence: (share) =>
      `Work was queued, and the GPU was idle for ${percentText(share)} of the time before it began.`,
    mend: 'The file does not show why. An event of another stream, another program on the GPU or an allocation can hold work back.',
    onPage:
      'The recording does not show why. Presenting, another page on the GPU or an upload can hold work back.',
  },
  'rank-message': {
    title: capital(CAUSES['rank-message'].label),
    sentence: (share) =>
      `The program waits for another rank before it launches more: this left the GPU idle for ${percentText(share)} of the time.`,
    mend: 'Launch what needs nothing of the other rank before send() and recv(), or use isend() and irecv(). Where the other rank is late, the cause is there.',
  },
  'rank-wait': {
    title: 'It waits for another rank',
    sentence: (share) =>
      `For ${percentText(share)} of the time the GPU waited in collectives for a rank that began them later, and computed nothing.`,
    mend: 'The cause is on the rank that begins last: its own row says what it does longer.',
  },
  'lone-collectives': {
    title: 'Communication runs alone',
    sentence: (share) =>
      `For ${percentText(share)} of the time the GPU was in collectives and computed nothing. Waiting for the other ranks here is not in it.`,
    mend: 'Communicate while the GPU computes: DistributedDataParallel starts an all-reduce for each bucket of gradients during backward().',
  },
  collectives: {
    title: 'Collectives run alone',
    sentence: (share) =>
      `For ${percentText(share)} of the time the GPU was in collectives and computed nothing.`,
    mend: 'One rank’s file cannot tell waiting for another rank from moving data. Compare the files of all ranks.',
  },
}

const EXCUSE_WORDS: Readonly<Record<Excuse, string>> = {
  profiler: 'while the profiler itself was at work',
  'first-step': 'in the first step that was recorded, which loads libraries and starts the profiler',
  'between-kernels': 'in the GPU’s own pauses from one queued kernel to the next',
  'between-frames': 'between frames, while the page waited for the next one',
  unknown: 'for reasons that the file does not show',
}

interface FindingFacts {
  readonly fault: Fault
  readonly us: number
  readonly idleShare: number | null
  readonly count: number
  readonly medianUs: number
  readonly longestUs: number
}

interface Seen {
  /** 'cudaStreamSynchronize() under aten::item', in most of the gaps' time. */
  readonly wait: string | null
  readonly activity: string | null
  readonly pace: { readonly kernelUs: number; readonly launchUs: number } | null
  /** Gaps that others of the same fault left behind. */
  readonly following: { readonly count: number; readonly us: number }
  readonly copies: readonly CopyTotal[]
}

const us = (value: number): string => durationText(value * 1e3)

/** What the file shows of a finding. */
export function evidenceOf(facts: FindingFacts, { wait, activity, pace, copies, following }: Seen): string {
  const { fault, idleShare, count, medianUs, longestUs } = facts
  const lengths = count === 1 ? '' : `, median ${us(medianUs)}, longest ${us(longestUs)}`
  const sum = count === 1 ? us(facts.us) : `${us(facts.us)} in all`
  switch (fault) {
    case 'pageable-copies':
    case 'lone-copies': {
      const of = copies.filter(
        ({ kind }) =>
          /^(?:HtoD|DtoH)/.test(kind) && kind.includes('pageable') === (fault === 'pageable-copies'),
      )
      const rates = of.map(({ kind, bytes, gbPerS }) =>
        gbPerS === null || bytes === null ? kind : `${kind}: ${bytesText(bytes)} at ${plain(gbPerS, 2)} GB/s`,
      )
      const gaps = idleShare === null ? '' : ' with the gaps they leave'
      const alone = `${counted(count, 'copy', 'copies')} with no kernel beside${lengths}; ${sum}${gaps}`
      return `${[alone, ...rates].join('. ')}.`
    }
    case 'rank-wait':
      return `${counted(count, 'collective')} with waiting and nothing beside${lengths}; ${sum}.`
    case 'lone-collectives':
    case 'collectives':
      return `${counted(count, 'collective')} with nothing beside${lengths}; ${sum}.`
    default: {
      const share = idleShare === null ? '' : `, ${percentText(idleShare)} of all idle time`
      const gaps = `${counted(count, 'gap')}${lengths}; ${sum}${share}.`
      const after =
        following.count === 0
          ? ''
          : `${us(following.us)} of it in ${counted(following.count, 'more gap')} after them, which would not be there had the host not lost its lead.`
      return [gaps, detailOf(wait, activity, pace), after].filter((words) => words !== '').join(' ')
    }
  }
}

function detailOf(wait: string | null, activity: string | null, pace: Seen['pace']): string {
  if (pace) return `A kernel takes ${us(pace.kernelUs)}, a launch comes every ${us(pace.launchUs)} (medians).`
  if (wait !== null) return `The host was in ${wait} when the GPU ran dry.`
  if (activity === null) return ''
  return activity === ''
    ? 'The file shows nothing of what the host did: record with with_stack=True.'
    : `The host was mostly in ${activity}.`
}

/** 'train.py(42): step', as torch.profiler writes it, and what was called there. */
export const sourceText = ({ file, line, name, method }: SourceLine): string =>
  `${file}(${String(line)}): ${name}${method === null ? '' : `, .${method}()`}`

interface VerdictFacts {
  readonly verdict: VerdictKind
  readonly findings: readonly Finding[]
  readonly minor: readonly Finding[]
  readonly excused: Diagnosis['excused']
  readonly isScattered: boolean
  /** Of what is recorded. */
  readonly idleShare: number
  readonly device: DeviceSummary
  readonly lost: Lost | null
  readonly isPage: boolean
}

/** What of a device's work has no record. */
export interface Lost {
  readonly coverage: Coverage
  /** Of which of its devices those were, the file does not say. */
  readonly isOfFile: boolean
  /** Of the device's time, with the stretches before its first record and after its last. */
  readonly unknownShare: number
}

/** '240 of 2000 launches (12 %)'. */
export const launchesWords = ({ launches, withoutRecord }: Coverage): string =>
  `${String(withoutRecord)} of ${counted(launches, 'launch', 'launches')} (${percentText(withoutRecord / launches)})`

function lostWords({ coverage, isOfFile, unknownShare }: Lost): string {
  const of = `${launchesWords(coverage)} ${coverage.withoutRecord === 1 ? 'has' : 'have'} no record on ${isOfFile ? 'a GPU of this file' : 'the GPU'}`
  // Work that ran beside other work leaves no gap.
  return unknownShare < MINOR_SHARE
    ? `${of}.`
    : `${of}: what it did for ${percentText(unknownShare)} of the time is not known.`
}

export function verdictWords(facts: VerdictFacts): Pick<Diagnosis, 'sentence' | 'note'> {
  const { lost } = facts
  const { sentence, note } = wholeWords(facts)
  if (!lost) return { sentence, note }
  return {
    sentence: [lostWords(lost), sentence].filter(Boolean).join(' '),
    note: [
      'A profiler loses records as a session begins, of graphs, and where its buffers are full. All shares are of the time that is recorded.',
      note,
    ]
      .filter(Boolean)
      .join(' '),
  }
}

function wholeWords(facts: VerdictFacts): Pick<Diagnosis, 'sentence' | 'note'> {
  const { verdict, findings, minor, excused, isScattered, device, lost } = facts
  const { busyRatio, axis } = device
  const idle = percentText(facts.idleShare)
  const busy = percentText(busyRatio ?? 0)
  const unplaced =
    axis === 'device'
      ? 'The GPU’s clock could not be tied to the host’s, so idle time has no cause here.'
      : ''
  switch (verdict) {
    case 'faults': {
      const [first] = findings
      if (isScattered)
        return {
          sentence: `Several small causes, none of them ${percentText(NAMED_SHARE)}: the largest is listed first.`,
          note: unplaced,
        }
      return {
        sentence: first?.sentence ?? '',
        note: [unplaced, unexplained(excused)].filter(Boolean).join(' '),
      }
    }
    case 'well-fed':
      return {
        sentence: `Nothing here holds the GPU back: it had work for ${busy} of the time.`,
        note: [
          `No cause reaches ${percentText(NAMED_SHARE)}${minor.length > 0 ? `; those above ${percentText(MINOR_SHARE)} are listed` : ''}.`,
          'Having work is not the same as working fast: what is left to gain is in the kernels.',
        ].join(' '),
      }
    case 'excused': {
      const most = [...excused].sort((a, b) => b.us - a.us)[0]
      return {
        sentence: `The GPU was idle for ${idle} of the time, most of it ${EXCUSE_WORDS[most?.excuse ?? 'profiler']}.`,
        note: lost ? '' : 'The program is not at fault for that.',
      }
    }
    case 'unexplained':
      return {
        sentence: `The GPU was idle for ${idle} of the time, and the file does not show why.`,
        note:
          unplaced ||
          (facts.isPage
            ? 'Timestamps of the GPU and the host’s clock agree too coarsely here to name a cause.'
            : '') ||
          'It holds no calls that brought the work, or clocks that agree too coarsely. Record host and GPU together: ProfilerActivity.CPU and ProfilerActivity.CUDA.',
      }
    case 'no-work':
      return { sentence: 'No work of this GPU is in the file.', note: '' }
    case 'lab-run':
      return { sentence: '', note: '' }
    case 'partial':
      return {
        sentence: `In what is recorded it had work for ${busy} of the time.`,
        note: 'This file does not show whether something holds the GPU back: record again.',
      }
  }
}

function unexplained(excused: Diagnosis['excused']): string {
  const named = excused.filter(({ share }) => share >= NAMED_SHARE)
  return named
    .map(({ excuse, share }) => `It was idle for another ${percentText(share)} ${EXCUSE_WORDS[excuse]}.`)
    .join(' ')
}

/** What mending the first cause would save at most; '' where none is named. */
export function savingText({ findings, recordedUs }: Diagnosis): string {
  const [first] = findings
  if (!first || first.us >= recordedUs) return ''
  // A bound is rounded away from what it bounds.
  const factor = Math.ceil((100 * recordedUs) / (recordedUs - first.us)) / 100
  return `Without the first cause the device’s ${us(recordedUs)} would be ${us(recordedUs - first.us)} at least: ${String(factor)} times as fast at most.`
}

/**
 * Lines for a terminal.
 *
 * @param lessonOf by what a lesson mends: a fault or 'well-fed'; null where none does
 */
export function diagnosisText(
  { sentence, note, verdict, findings, minor }: Diagnosis,
  lessonOf: (mends: string) => string | null,
): string {
  const addressed = (mends: string) => {
    const lesson = lessonOf(mends)
    return lesson === null ? '' : ` Lesson: ${lesson}.`
  }
  const listed = [...findings, ...minor].flatMap(({ fault, share, title, evidence, source, mend }) => [
    `  ${percentText(share).padStart(7)}  ${title}`,
    `           ${oneLine(evidence)}`,
    ...(source ? [`           In ${oneLine(sourceText(source))} (${percentText(source.share)} of it).`] : []),
    `           ${mend}${addressed(fault)}`,
  ])
  return [sentence + addressed(verdict), ...(note === '' ? [] : [note]), ...listed].join('\n')
}
