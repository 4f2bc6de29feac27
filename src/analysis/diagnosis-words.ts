/** The sentences of a diagnosis, for page and terminal: what a cause costs, what the file shows of it, and what to change. */
import { counted, durationRangeText, durationText, percentText, plain } from '../base/figures'
import type { CopyTotal, DeviceSummary } from './devices'
import type { Coverage } from './coverage'
import {
  MINOR_SHARE,
  NAMED_GAIN,
  NAMED_SHARE,
  type Diagnosis,
  type Excuse,
  type Finding,
  type Gain,
  type SourceLine,
  type StepFacts,
  type VerdictKind,
} from './findings'
import type { Cause } from './replay/causes'
import { MEASURED_ERROR } from './replay/predict'
import type { Removed } from './replay/without'
import { pageWords, type PagePace } from './page-words'
import { oneLine } from './wording'

interface CauseWords {
  readonly title: string
  /** Follows 'The GPU was idle for 12 % of the time while …', where nothing was replayed. */
  readonly beside: string
  /** Begins the sentence of what the change gains. */
  readonly without: string
  readonly mend: string
  /** The same of a page. */
  readonly onPage?: string
}

export const CAUSE_WORDS: Readonly<Record<Cause, CauseWords>> = {
  'read-back': {
    title: 'Results are read back in the loop',
    beside: 'the host waited for a result that it read',
    without: 'Without reading results back',
    mend: 'Read less often: .item(), .cpu(), print() and if on a tensor wait for everything queued before them. Keep losses on the GPU, and read them every 100 steps or at the end.',
    onPage: 'Let results stay on the GPU, or read them later: await mapAsync() once more has been submitted.',
  },
  synchronize: {
    title: 'The host waits for the GPU',
    beside: 'the host waited for it and read nothing',
    without: 'Without waiting for the GPU',
    mend: 'Remove torch.cuda.synchronize() from the loop, or wait for an event of an earlier step.',
    onPage: 'Remove onSubmittedWorkDone() from the loop, or await that of an earlier frame.',
  },
  'data-loading': {
    title: 'The GPU waits for data',
    beside: 'the host was loading data',
    without: 'With batches that are ready in time',
    mend: 'Give DataLoader more workers and persistent_workers=True, or make what __getitem__ does cheaper.',
    onPage: 'Load further ahead, so that data is there when a frame needs it.',
  },
  'host-code': {
    title: 'The program’s own code holds the GPU up',
    beside: 'the host ran other code',
    without: 'Without the loop’s other host code',
    mend: 'Make this code faster, run it after the next step is launched, or move it to another process.',
    onPage: 'Submit before this work, or move it to a worker.',
  },
  dispatch: {
    title: 'Dispatch overhead holds the GPU up',
    beside: 'the host launched more slowly than kernels ran',
    without: 'With launches in CUDA graphs',
    mend: 'Launch fewer, longer kernels: torch.compile (mode="reduce-overhead" for CUDA graphs), larger batches, fused or foreach optimizers.',
    onPage:
      'Submit fewer, longer passes: several in one command buffer, several command buffers in one submit().',
  },
  allocation: {
    title: 'Device memory is allocated in each step',
    beside: 'the host allocated or freed device memory',
    without: 'Without allocating device memory',
    mend: 'Remove torch.cuda.empty_cache() from the loop: PyTorch’s caching allocator reuses memory only as long as it keeps it. If cudaMalloc stays, sizes change from step to step: pad them.',
    onPage: 'Make buffers once and reuse them.',
  },
  'pageable-copies': {
    title: 'Copies from or to pageable memory block the host',
    beside: 'copies from or to pageable memory ran, or held up the host',
    without: 'With pinned memory and copies that do not block',
    mend: 'Pin the memory (pin_memory=True in DataLoader, or .pin_memory() once) and copy with non_blocking=True.',
  },
  'copies-in-line': {
    title: 'Kernels wait for copies',
    beside: 'it copied, or waited for a copy to be prepared',
    without: 'With copies on a stream of their own',
    mend: 'Copy the next batch on a stream of its own while this one is computed.',
    onPage: 'Use two or three staging buffers in turn, so that one is filled while another is in flight.',
  },
  collectives: {
    title: 'Kernels wait for collectives',
    beside: 'it was in collectives and computed nothing',
    without: 'With collectives beside the kernels',
    mend: 'Start each all-reduce while backward() still computes, in buckets, as DistributedDataParallel does.',
  },
  'late-rank': {
    title: 'It waits for another rank',
    beside: 'it waited for another rank',
    without: 'With the late rank on time',
    mend: 'The cause is on the rank that comes last: its own row says what it does longer.',
  },
  'slow-kernels': {
    title: 'Kernels are far below what bounds them',
    beside: 'its kernels ran below its peak',
    without: 'With these kernels near their bound',
    mend: 'Fuse elementwise operators and reductions (torch.compile), pad sizes to multiples of 64, keep one memory layout. The table of kernels shows the rate of each.',
  },
  'host-callback': {
    title: 'A host callback in a CUDA graph holds the GPU up',
    beside: 'a callback of the host ran within a graph',
    without: 'Without the callback in the graph',
    mend: 'Take the callback out of the graph, or launch it on a stream that the kernels don’t wait for.',
  },
  unknown: {
    title: 'The host pauses, and nothing says why',
    beside: 'nothing was recorded of the host',
    without: 'Without pauses of the host that nothing explains',
    mend: 'Record with with_stack=True. A single long pause is often Python’s garbage collector: gc.freeze() after the first steps, or collect at the same step on all ranks.',
    onPage: 'The recording does not show why: timers, network or script of the page.',
  },
}

const us = (value: number): string => durationText(value * 1e3)

/** '1.7 times as fast'. */
export const timesText = (gain: number): string => `${plain(gain, gain < 1.1 ? 3 : 2)} times as fast`

/** Names the step of a recorded page: its frames, or all of its work where it has none. */
export const pageStep = ({ from }: Pick<StepFacts, 'from'>): string =>
  from === 'frames' ? 'a frame' : 'the recorded work'

const rangeText = ({ low, high }: Gain): string => `predicted; ${durationRangeText(low * 1e3, high * 1e3)}`

/** @param change 'Without reading results back' @param step what it is of: 'a frame' */
export function gainText(change: string, gain: Gain, nowUs: number, step = 'a step'): string {
  const { stepUs, high } = gain
  if (gain.gain < NAMED_GAIN)
    return `${change}, ${step} would take ${us(stepUs)} instead of ${us(nowUs)}, a gain below 2 % (${rangeText(gain)}).`
  return `${change}, ${step} would take ${us(stepUs)} instead of ${us(nowUs)}, ${timesText(gain.gain)} (${rangeText(gain)}).${high >= nowUs ? ' It may gain nothing.' : ''}`
}

/** Causes of which the operator or call says more than the cause. */
const NAMED: readonly Cause[] = [
  'read-back',
  'synchronize',
  'host-code',
  'allocation',
  'slow-kernels',
  'host-callback',
]

/** 'Without reading results back (aten::item)'. */
export function changeOf(cause: Cause, what: string): string {
  if (cause === 'host-code' && what.includes('()')) return `Without ${what}`
  const named = what !== '' && NAMED.includes(cause) ? ` (${what})` : ''
  return `${CAUSE_WORDS[cause].without}${named}`
}

/** The sentence for two changes that gain nothing alone. */
export function togetherText(causes: readonly [Cause, Cause], gain: Gain, nowUs: number): string {
  const change = changesText(causes.map((cause) => ({ cause, code: null })))
  return `${gainText(change, gain, nowUs)} Either alone gains nothing.`
}

/** 'Without reading results back and without waiting for the GPU'. */
export function changesText(removed: readonly Removed[]): string {
  const [first = '', ...others] = removed.map(({ cause, code }) =>
    code === null ? CAUSE_WORDS[cause].without : `Without ${code}`,
  )
  return [first, ...others.map((text) => text.charAt(0).toLowerCase() + text.slice(1))].join(' and ')
}

/** The facts that lead a finding of a replayed profile. */
export interface Seen {
  readonly cause: Cause
  readonly what: string
  /** Time of the host or the device in a step, as recorded. */
  readonly spentUs: number
  readonly stepUs: number
  /** The step without the profiler is known, and shorter. */
  readonly isSlowed: boolean
  /** Launches in a step. */
  readonly launches: number
  /** The stream that collectives share with kernels; null: they have their own. */
  readonly sharedStream: string | null
}

export const ONE_RANK =
  'This is the file of one rank, which can’t tell moving data from waiting for another: if that one sets the pace, a change here gains nothing. Open the files of all ranks together.'

/** Says in a sentence how the profile shows a cause. */
export function leadOf({ cause, what, spentUs, stepUs, isSlowed, launches, sharedStream }: Seen): string {
  const spent = `${us(spentUs)} of each ${us(stepUs)} step${isSlowed ? ' under the profiler' : ''}`
  const named = what === '' ? '' : ` (${what})`
  switch (cause) {
    case 'read-back':
      return `The host reads results back${named}, for ${spent}.`
    case 'synchronize':
      return `The host waits for the GPU${named}, for ${spent}, and reads nothing.`
    case 'data-loading':
      return `The host is in the DataLoader for ${spent}.`
    case 'host-code':
      return what === ''
        ? `For ${spent} the host runs code that the file does not name.`
        : `The host is in ${what} for ${spent}.`
    case 'dispatch':
      return `Dispatching ${counted(Math.round(launches), 'launch', 'launches')} takes the host ${spent}.`
    case 'allocation':
      return `The host allocates and frees device memory${named} for ${spent}.`
    case 'pageable-copies':
      return `Copies from or to pageable memory hold the host up for ${spent}.`
    case 'copies-in-line':
      return `Copies between kernels on the same stream take ${spent}.`
    case 'collectives':
      return sharedStream === null
        ? `Collectives take ${spent}.`
        : `Collectives take ${spent}, on ${sharedStream}, which is the kernels’ own: they can’t overlap there.`
    case 'late-rank':
      return `The GPU waits in collectives for another rank, for ${spent}.`
    case 'slow-kernels':
      return `Kernels${named} take ${spent}, at least twice as long as operations over peak FLOP/s or bytes over peak bandwidth.`
    case 'host-callback':
      return `A callback of the host${named} holds the GPU for ${spent}.`
    case 'unknown':
      return `Nothing is recorded of the host for ${us(spentUs)} a step on average, in pauses that most steps don’t have.`
  }
}

/** A profile is slower than its program by so much that it has to be said. */
export const isSlowed = (recordedUs: number, unprofiledUs: number | null): boolean =>
  unprofiledUs !== null && recordedUs > 1.03 * unprofiledUs

/** How much slower than the program the profile is; '' where it is not. The 3 is `json-logging` of bench/interventions. */
export function slowdownText(unprofiledUs: number | null, recordedUs: number): string {
  if (unprofiledUs === null)
    return 'Times are under the profiler, which made steps up to 3 times as long in our pairs. Record with the lines on ‘Open a trace’: they time steps without it.'
  return isSlowed(recordedUs, unprofiledUs)
    ? `A step took ${us(recordedUs)} under the profiler, and ${us(unprofiledUs)} without it. Predictions are of the program without the profiler; all other times and shares are as recorded.`
    : ''
}

const EXCUSE_WORDS: Readonly<Record<Excuse, string>> = {
  profiler: 'while the profiler itself was at work',
  'first-step': 'in the first step that was recorded, which loads libraries and starts the profiler',
  'between-kernels': 'in the GPU’s own pauses from one queued kernel to the next',
  'between-frames': 'between frames, while the page waited for the next one',
  unknown: 'for reasons that the file does not show',
}

/** The counts that show a cause which could not be replayed. */
export interface Counted {
  readonly count: number
  readonly us: number
  readonly medianUs: number
  readonly longestUs: number
  readonly idleShare: number | null
  /** 'cudaStreamSynchronize() under aten::item', in most of the gaps' time. */
  readonly wait: string | null
  readonly activity: string | null
  readonly copies: readonly CopyTotal[]
}

export function evidenceOf(cause: Cause, seen: Counted): string {
  const { count, medianUs, longestUs, idleShare, wait, activity, copies } = seen
  const lengths = count === 1 ? '' : `, median ${us(medianUs)}, longest ${us(longestUs)}`
  const sum = count === 1 ? us(seen.us) : `${us(seen.us)} in all`
  if (cause === 'collectives' || cause === 'late-rank')
    return `${counted(count, 'collective')} with nothing beside${lengths}; ${sum}.`
  const rates = copies
    .filter(
      ({ kind }) =>
        /^(?:HtoD|DtoH)/.test(kind) && kind.includes('pageable') === (cause === 'pageable-copies'),
    )
    .map(({ kind, gbPerS }) => (gbPerS === null ? kind : `${kind} at ${plain(gbPerS, 2)} GB/s`))
  if ((cause === 'pageable-copies' || cause === 'copies-in-line') && rates.length > 0)
    return `${counted(count, 'copy', 'copies')} with no kernel beside${lengths}; ${sum}. ${rates.join(', ')}.`
  const share = idleShare === null ? '' : `, ${percentText(idleShare)} of all idle time`
  const doing =
    wait !== null
      ? ` The host was in ${wait} when the GPU ran dry.`
      : activity
        ? ` The host was mostly in ${activity}.`
        : ''
  return `${counted(count, 'gap')}${lengths}; ${sum}${share}.${doing}`
}

/** 'train.py(42): step', as torch.profiler writes it, and what was called there. */
export const sourceText = ({ file, line, name, method }: SourceLine): string =>
  `${file}(${String(line)}): ${name}${method === null ? '' : `, .${method}()`}`

interface VerdictFacts {
  readonly verdict: VerdictKind
  readonly steps: StepFacts | null
  readonly findings: readonly Finding[]
  readonly minor: readonly Finding[]
  readonly excused: Diagnosis['excused']
  readonly isScattered: boolean
  /** A share of the recorded time. */
  readonly idleShare: number
  readonly device: DeviceSummary
  readonly lost: Lost | null
  /** Pace of a recorded page; null for other traces. */
  readonly pace: PagePace | null
  readonly queuedShare: number
  /** Why nothing was replayed; '' where it was. */
  readonly problem: string
}

/** The work of a device that has no record. */
export interface Lost {
  readonly coverage: Coverage
  /** True: the file does not say of which device they were. */
  readonly isOfFile: boolean
  /**
   * A share of the device's time, including the stretches before its first record and after its
   * last.
   */
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
  const { verdict, findings, minor, excused, isScattered, device, lost, problem, steps } = facts
  const { busyRatio, axis } = device
  const idle = percentText(facts.idleShare)
  const busy = percentText(busyRatio ?? 0)
  const unplaced =
    axis === 'device'
      ? 'The GPU’s clock could not be tied to the host’s, so idle time has no cause here.'
      : ''
  if (facts.pace && verdict !== 'faults' && verdict !== 'no-work' && unplaced === '')
    return pageWords({ ...facts, pace: facts.pace, busyRatio })
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
        note: [unplaced, problem, steps ? '' : unexplained(excused)].filter(Boolean).join(' '),
      }
    }
    case 'well-fed':
      return {
        sentence: steps
          ? `Nothing on the host holds the GPU back: it is busy for ${busy} of the time, and no change to the host is predicted to gain 2 %.`
          : `Nothing here holds the GPU back: it had work for ${busy} of the time.`,
        note: [
          steps
            ? ''
            : `No cause reaches ${percentText(NAMED_SHARE)}${minor.length > 0 ? `; those above ${percentText(MINOR_SHARE)} are listed` : ''}.`,
          'Having work is not the same as working fast: what is left to gain is in the kernels.',
          steps ? '' : problem,
        ]
          .filter(Boolean)
          .join(' '),
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

/** How far off a prediction may be, from bench/interventions; '' where nothing is predicted. */
export function errorText({ findings, steps }: Diagnosis): string {
  if (!findings[0]?.without || !steps) return ''
  const isTimed = steps.unprofiledUs !== null
  const { median, most } = MEASURED_ERROR[isTimed ? 'timed' : 'alone']
  return `Predictions ${isTimed ? '' : 'from the profile alone '}for ${String(MEASURED_ERROR.pairs)} measured pairs (NVIDIA H200) were off by ${percentText(median)} of a step in the median, and by ${percentText(most)} at most.`
}

/**
 * Lines for a terminal.
 *
 * @param lessonOf by what a lesson mends: a cause or 'well-fed'; null where none does
 */
export function diagnosisText(
  { sentence, note, verdict, findings, minor, steps }: Diagnosis,
  lessonOf: (mends: string) => string | null,
): string {
  const addressed = (mends: string) => {
    const lesson = lessonOf(mends)
    return lesson === null ? '' : ` Lesson: ${lesson}.`
  }
  const stepLine = steps
    ? [
        `A step takes ${us(steps.replayedUs)}${steps.unprofiledUs === null ? '' : ' without the profiler'}. The file holds ${counted(steps.count, 'step')}, by ${STEPS_BY[steps.from]}.`,
      ]
    : []
  const listed = [...findings, ...minor].flatMap((finding) => {
    const { cause, share, without, together, title, evidence, line, mend } = finding
    return [
      together
        ? `  ${`together ${timesText(together.gain.gain)}`.padStart(29)}  ${title}`
        : without
          ? `  ${timesText(without.gain).padStart(20)}  ${title}`
          : `  ${percentText(share).padStart(7)}  ${title}`,
      `           ${oneLine(evidence)}`,
      ...(line ? [`           In ${oneLine(sourceText(line))} (${percentText(line.share)} of it).`] : []),
      `           ${mend}${addressed(cause)}`,
    ]
  })
  return [sentence + addressed(verdict), ...(note === '' ? [] : [note]), ...stepLine, ...listed].join('\n')
}

const STEPS_BY: Readonly<Record<StepFacts['from'], string>> = {
  'profiler-step': 'the profiler’s marks',
  ranges: 'the file’s own ranges',
  period: 'the period of its launches',
  extent: 'its extent',
  frames: 'the page’s frames',
}
