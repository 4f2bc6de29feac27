/** A device's verdict in sentences, and the diagnosis as lines of a terminal. */
import { counted, durationText, percentText, oneLine } from '../base/figures'
import type { DeviceSummary } from './devices'
import type { Coverage } from './coverage'
import { differs, gainText, IN_TF32, sourceText, timesText } from './finding-words'
import {
  MINOR_SHARE,
  NAMED_SHARE,
  type Diagnosis,
  type Excuse,
  type Finding,
  type Float32Facts,
  type MeasuredError,
  type StepFacts,
  type VerdictKind,
} from './findings'
import { MEASURED_ERROR } from './replay/predict'
import { pageWords, type PagePace } from './page-words'
import type { TensorType } from './tables/peaks'
import { ENDS_HERE, type ImportWarning } from '../trace/formats/import/import-warnings'
import { sayWhyNoDevice, type TraceFormat } from '../trace/formats/import/run-info'

const us = (value: number): string => durationText(value * 1e3)

const EXCUSE_WORDS: Readonly<Record<Excuse, string>> = {
  profiler: 'while the profiler itself was at work',
  'first-step': 'in the first step or at a first use, when libraries load and the profiler starts',
  'between-kernels': 'in the GPU’s own pauses between queued kernels',
  'between-frames': 'between frames, while the page waited for the next one',
  unknown: 'for reasons that the file does not show',
}

interface VerdictFacts {
  readonly verdict: VerdictKind
  readonly steps: StepFacts | null
  readonly findings: readonly Finding[]
  readonly minor: readonly Finding[]
  readonly excused: Diagnosis['excused']
  /** A share of the recorded time. */
  readonly idleShare: number
  readonly device: DeviceSummary
  readonly lost: Lost | null
  /** Pace of a recorded page; null for other traces. */
  readonly pace: PagePace | null
  readonly queuedShare: number
  /** The file is cut, and what is missing may be anywhere. */
  readonly isCut: boolean
  readonly float32: Float32Facts | null
  readonly tensorTypes: readonly TensorType[]
  /** Another device's verdict has the advice on float32. */
  readonly isAdvised: boolean
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

/** The 2.0 is `transformer-fp32` of bench/interventions, whose products take 80 % of its time. */
const FLOAT32_GAIN =
  'The gain depends on their sizes: in bfloat16, one transformer ran 2.0 times as fast on an H200.'

/** What float32 costs, and how to compute in something else. */
function float32Words({ float32, steps, tensorTypes, isAdvised }: VerdictFacts): readonly [string, string] {
  if (!float32) return ['', '']
  const { share, without } = float32
  const products = `Float32 matmuls${without ? '' : ' and convolutions'} run without tensor cores for ${percentText(share)} of the time.`
  const tf32 = tensorTypes.includes('tf32')
    ? 'torch.set_float32_matmul_precision("high") allows TF32, which rounds their inputs to 10 bits of mantissa; '
    : ''
  const advice = `For float32 matmuls, ${tf32}torch.autocast computes in ${tensorTypes.includes('bf16') ? 'bfloat16' : 'float16'}.`
  const mend = isAdvised ? '' : advice
  return without && steps
    ? [`${products} ${gainText(IN_TF32, without, steps.replayedUs)}`, mend]
    : [products, mend && `${mend} ${FLOAT32_GAIN}`]
}

export function verdictWords(facts: VerdictFacts): Pick<Diagnosis, 'sentence' | 'note'> {
  const { lost, float32 } = facts
  const whole = wholeWords(facts)
  const [products, mend] = float32Words(facts)
  const isBefore = float32?.isFirst === true
  const sentence = isBefore ? products : whole.sentence
  // Findings are listed, each with its sentence.
  const rest = facts.findings.length > 0 ? '' : whole.sentence
  const parts = isBefore ? [mend, rest, whole.note] : [whole.note, products, mend]
  const note = parts.filter(Boolean).join(' ')
  if (!lost) return { sentence, note }
  return {
    sentence: [lostWords(lost), sentence].filter(Boolean).join(' '),
    note: [
      'Profilers lose records when a session begins, in graphs, and when their buffers fill up. All shares are of the recorded time.',
      note,
    ]
      .filter(Boolean)
      .join(' '),
  }
}

function wholeWords(facts: VerdictFacts): Pick<Diagnosis, 'sentence' | 'note'> {
  const { verdict, findings, minor, excused, device, lost, problem, steps } = facts
  const { busyRatio, axis } = device
  const idle = percentText(facts.idleShare)
  const busy = percentText(busyRatio ?? 0)
  const unplaced =
    axis === 'device'
      ? 'The GPU’s clock could not be tied to the host’s, so the causes of idle time are unknown.'
      : ''
  const most = largestOf(excused)
  // Where nothing is predicted, a small cause does not speak for the time that none is known of.
  const isUnseen = !steps && most?.excuse === 'unknown' && most.share > (findings[0]?.share ?? 0)
  if (facts.pace && unplaced === '' && verdict !== 'no-work' && (verdict !== 'faults' || isUnseen))
    return pageWords({ ...facts, pace: facts.pace, busyRatio })
  switch (verdict) {
    case 'faults': {
      const [first] = findings
      const larger = steps ? undefined : largestOf(excused.filter(({ share }) => share > (first?.share ?? 0)))
      const others = excused.filter((each) => !steps && each !== larger)
      return {
        sentence: [
          larger
            ? `For ${percentText(larger.share)} of the time the GPU was idle ${EXCUSE_WORDS[larger.excuse]}.`
            : '',
          first?.sentence ?? '',
        ]
          .filter(Boolean)
          .join(' '),
        note: [unplaced, problem, unexplained(others)].filter(Boolean).join(' '),
      }
    }
    case 'well-fed': {
      // Under the profiler it may be idle where it never is without it.
      const isOther = steps !== null && differs(steps.medianUs, steps.unprofiledUs)
      return {
        sentence: steps
          ? `Nothing on the host holds the GPU back: the GPU is busy ${busy} of the time${isOther ? ' under the profiler' : ''}, and no host-side change is predicted to gain 2 %.`
          : `Nothing here holds the GPU back: it had work for ${busy} of the time.`,
        note: [
          steps
            ? ''
            : `No cause reaches ${percentText(NAMED_SHARE)}${minor.length > 0 ? `; those above ${percentText(MINOR_SHARE)} are listed` : ''}.`,
          'Busy is not the same as fast: what is left to gain is in the kernels.',
          steps && !isOther ? '' : problem,
        ]
          .filter(Boolean)
          .join(' '),
      }
    }
    case 'excused':
      return {
        sentence: `The GPU was idle for ${idle} of the time, most of it ${EXCUSE_WORDS[most?.excuse ?? 'profiler']}.`,
        note: [lost ? '' : 'That is not the program’s fault.', steps ? '' : problem]
          .filter(Boolean)
          .join(' '),
      }
    case 'unexplained':
      return {
        sentence: `The GPU was idle for ${idle} of the time, and the file does not show why.`,
        note:
          unplaced ||
          (steps
            ? `No single change is predicted to gain 2 %: threads may wait for each other, or several causes hold the GPU at once. ${problem}`.trim()
            : problem) ||
          'The calls that launched the work are missing, or the clocks agree too coarsely. Record host and GPU together: ProfilerActivity.CPU and ProfilerActivity.CUDA.',
      }
    case 'no-work':
      return { sentence: 'The file records no work on this GPU.', note: '' }
    case 'lab-run':
      return { sentence: '', note: '' }
    case 'partial':
      return {
        sentence: `${facts.isCut ? 'The file is cut short. ' : ''}In what is recorded, the GPU had work for ${busy} of the time.`,
        note: [lost ? '' : problem, 'This file can’t show whether anything holds the GPU back: record again.']
          .filter(Boolean)
          .join(' '),
      }
  }
}

const largestOf = (excused: Diagnosis['excused']): Diagnosis['excused'][number] | undefined =>
  [...excused].sort((a, b) => b.us - a.us)[0]

function unexplained(excused: Diagnosis['excused']): string {
  const named = excused.filter(({ share }) => share >= NAMED_SHARE)
  return named
    .map(({ excuse, share }) => `The GPU was idle for another ${percentText(share)} ${EXCUSE_WORDS[excuse]}.`)
    .join(' ')
}

/** How far off a prediction may be, from bench/interventions; '' where nothing is predicted. */
export function errorText({ findings, steps }: Diagnosis): string {
  if (!findings[0]?.without || !steps) return ''
  const { pairs, median, most } = MEASURED_ERROR[steps.errorsOf]
  const { estimated } = MEASURED_ERROR
  const better =
    steps.estimatedUs === null
      ? ''
      : `; with an estimated step by ${percentText(estimated.median)} and ${percentText(estimated.most)}`
  return `Over ${String(pairs)} measured pairs (NVIDIA H200), predictions ${PREDICTED[steps.errorsOf]} were off by ${percentText(median)} of a step in the median, and by ${percentText(most)} at most${better}.`
}
const PREDICTED: Readonly<Record<MeasuredError, string>> = {
  timed: 'with the step timed without a profiler',
  estimated: 'with that step estimated',
  alone: 'from the profile alone',
  pages: 'for recorded pages',
}

const NO_WORK = 'The file records no GPU work'
/** Said of a file in which no device works. */
export const NO_DEVICE = `${NO_WORK}. To record a GPU, add ProfilerActivity.CUDA (Intel: XPU; Apple: not possible).`

/** The same, where the file says more of why. @param skipped what an import left out */
export function noDeviceWords(
  coverage: Coverage | null,
  format: TraceFormat,
  skipped: readonly ImportWarning[],
  notes: readonly string[],
): string {
  if (skipped.some(({ reason }) => reason === ENDS_HERE))
    return 'The file is cut short, and what is left of it records no GPU work.'
  if (sayWhyNoDevice(notes)) return `${NO_WORK}.`
  if (format === 'trace-event') return 'Nothing in the file is marked as GPU work.'
  // Calls are recorded with ProfilerActivity.CUDA alone.
  return coverage
    ? `${NO_WORK}: ${launchesWords(coverage)} ${coverage.withoutRecord === 1 ? 'has' : 'have'} no record. The calls were recorded, so their GPU records were lost. Close any other profiler that uses the GPU, and record again.`
    : NO_DEVICE
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
  const isTold =
    steps !== null && steps.unprofiledUs !== null && note.includes(`${us(steps.unprofiledUs)} without it`)
  const stepLine = steps ? [stepWords(steps, isTold)] : []
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

const STEPS_BY: Readonly<Record<Exclude<StepFacts['from'], 'extent'>, string>> = {
  'profiler-step': 'the profiler’s marks',
  ranges: 'the file’s own ranges',
  period: 'the period of its launches',
  frames: 'the page’s frames',
}

/** @param isTold the step's time stands above */
function stepWords(
  { from, count, replayedUs, profilerUs, unprofiledUs }: StepFacts,
  isTold: boolean,
): string {
  const bare = unprofiledUs === null ? '' : ' without the profiler'
  const each = count > 1 ? ' a step' : ''
  const own = profilerUs > 0 ? ` The profiler’s own ${us(profilerUs)}${each} are left out.` : ''
  if (from === 'extent')
    return `Nothing repeats in this file: its ${us(replayedUs)}${bare} count as one step.${own}`
  const time = isTold ? '' : `A step takes ${us(replayedUs)}${bare}. `
  return `${time}The file holds ${counted(count, 'step')}, taken from ${STEPS_BY[from]}.${own}`
}
