/**
 * A lesson is words and presets, no machinery: `<id>/lesson.md`, read while the site is built
 * (vite/words/lesson.ts). All text is data, so that a test can check it: every quiz option
 * explained, every sentence about a run under a condition, every figure quoted. There are two
 * kinds: of an experiment, which the visitor runs, and of profiles, which were recorded and are
 * read.
 */
import type { ParamValues } from '../experiments/experiment'
import type { Condition } from '../text/condition'
import type { Facts } from '../text/facts'
import type { Card } from '../text/card'
import type { RecordedOrigin } from '../text/recorded'
import type { Text, Inline, Passage } from '../text/template'

/** One question with a slider. */
export interface Question {
  readonly question: string
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly step: number
  /**
   * The slider goes from power of two to power of two, `step` doublings at a time: for what lies
   * anywhere over orders of magnitude.
   */
  readonly doublings?: boolean
  /** The slider's first value, which is not the answer. */
  readonly start: number
  /** The value that answers it to the slider's unit: ratio 0.09 -> 9 (%). */
  readonly scale: number
  /** Words under the two ends of the slider. */
  readonly ends: readonly [string, string]
  /** It follows the measured number: 'of the time the GPU computes, with one read a step'. */
  readonly result: string
}
export interface Asked extends Question {
  /** The metric that answers it. */
  readonly metric: { readonly name: string; readonly variant: string }
  /** PyTorch's recorded answer to the same question. */
  readonly pytorch?: PyTorchFigure
}
/** PyTorch's figure, shown beside the lesson's number. */
export interface PyTorchFigure {
  /** '88 %' */
  readonly text: string
  /** The figure in the slider's unit. */
  readonly onScale: number
  /** They follow the figure. */
  readonly words: Inline
  readonly origin: RecordedOrigin
}
interface Prediction extends Asked {
  /**
   * The question where the device gives no timestamps and `metric` needs them. It has another unit,
   * so that the two answers stay apart.
   */
  readonly withoutTimestamps?: Asked
}

interface FigureName {
  readonly name: string
  /** '' for a metric of the whole run. */
  readonly variant: string
}
/** A slider's range, on which a value is said. */
export type SliderOf = Pick<Question, 'unit' | 'min' | 'max' | 'step' | 'doublings' | 'scale'>
export interface StepGuess extends FigureName {
  /** Ends the step's text: 'How long is a step with three buffers, compared with two?' */
  readonly question: Inline
  /**
   * The answers to choose from: 'longer', 'about as long', 'shorter'. A slider that asks how much
   * has none.
   */
  readonly answers?: Readonly<Record<'more' | 'same' | 'less', string>>
  /**
   * Held against this figure of the step's own run, where the lesson's run has none to hold it
   * against.
   */
  readonly than?: FigureName
  /**
   * Asks how much, where the step is about that: the figure itself, or with `than` how many times
   * that one.
   */
  readonly slider?: SliderOf
}
export interface LessonStep {
  readonly id: string
  readonly heading: string
  readonly text: Passage
  /**
   * A control to press: lays these values over the lesson's own (not over the last step's, so that
   * one dial differs) and runs, where `run` is true. `dial` names the parameter that this step is
   * about; its control is shown beside the key.
   */
  readonly action?: {
    readonly label: string
    readonly values: ParamValues
    readonly run: boolean
    readonly dial?: string
  }
  /** Figures to lay beside those of the lesson's own run; the predicted one where none is named. */
  readonly compare: readonly FigureName[]
  /**
   * The question before the step runs: will this figure be more, the same or less than in the
   * lesson's own run, or how much?
   */
  readonly guess?: StepGuess
  /** The chart that the step is about: it stands before the picture. */
  readonly chart?: string
  /** The step's picture, if it is not the lesson's. */
  readonly show?: Pick<ExcerptPlan, 'variants' | 'steps'>
  /**
   * The variant of the run before to compare with each of `show`, where names differ: 4 ranks for
   * 8. None: the picture shows the step's run alone, since on the other's scale nobody could read
   * it.
   */
  readonly before?: readonly string[]
  /**
   * Words on the timeline afterwards. Their conditions are tests of a run with this step's values.
   */
  readonly lookFor?: Passage
}

/** The first picture of a run. */
export interface ExcerptPlan {
  /** One above the other; those that a run does not have are left out. */
  readonly variants: readonly string[]
  /** So many of the slowest variant's steps are in view. */
  readonly steps: number
  /**
   * True: the picture and its figure begin at the end of the first step on the device. False: at
   * the start.
   */
  readonly isSteady: boolean
  /** True: the model draws staging buffers too. */
  readonly staging: boolean
  /** A metric that every one of them has, and what stands before it: 'computes 13 %'. */
  readonly figure: string
  readonly words: string
}

/**
 * Misconceptions seen in the wild. A wrong option names the one it stems from, so that a teacher
 * can see what a class believes.
 */
export const misconceptions = {
  M1: 'A readback is slow because of its bytes (it is slow because it waits for the queue).',
  M2: 'A blocking readback must exist somewhere.',
  M3: 'Asynchronous code is always faster, or faster by itself.',
  M4: 'Pinned memory and non_blocking overlap a copy with compute even on one stream.',
  M5: 'A non_blocking copy to the host may be read at once.',
  M6: 'Pinning memory costs nothing.',
  M7: 'Workgroup sizes and stages have a fixed, universal best value.',
  M8: 'What a tool or a clock shows is what it seems to show.',
} as const
export type Misconception = keyof typeof misconceptions

export interface QuizOption {
  readonly text: Text
  readonly correct: boolean
  /** It says why the option is right, or what the mistake is. Any answer shows it. */
  readonly explanation: Passage
  readonly misconception?: Misconception
}
/** Exactly one option is correct. */
export interface QuizItem {
  readonly id: string
  /**
   * The question presumes this of the run. Where it does not hold, the question is asked of the
   * recorded run, and says so.
   */
  readonly premise?: {
    readonly when: Condition
    readonly recorded: RecordedOrigin & { readonly facts: Facts }
  }
  readonly question: Text
  readonly options: readonly QuizOption[]
}

/** Parts of the path: lessons that belong together. */
export const PARTS = {
  waiting: 'Waiting',
  bytes: 'Moving bytes',
  'at-once': 'Several things at once',
  ranks: 'Several ranks',
  profiles: 'Reading profiles',
} as const

/** Both kinds have these. */
interface LessonBase {
  readonly id: string
  readonly number: number
  /** Its name, in the reader's words. */
  readonly question: string
  /** One sentence for the home page: what you will measure. */
  readonly measures: string
  readonly minutes: number
  /** Null: the lesson is on no part of the path. */
  readonly part: keyof typeof PARTS | null
  /** Says to whom the home page recommends the lesson; '' recommends it to nobody in particular. */
  readonly recommended: string
  /** Faults that a profile can show and this lesson mends (analysis/faults.ts), or 'well-fed'. */
  readonly mends: readonly string[]
  readonly intro: Passage
  /** Some lines of PyTorch that the reader could have written; '' where the question needs none. */
  readonly ask: string
  /** Cards on the reader's own program, and the fix to copy. */
  readonly inPyTorch: readonly Card[]
  /** Cards on what WebGPU cannot do here; of profiles, on what a profile cannot tell. */
  readonly cannot: readonly Card[]
  readonly quiz: readonly QuizItem[]
  /** Origins of the recordings of PyTorch that its words quote. */
  readonly quoted: readonly RecordedOrigin[]
  /** Sources of the technical claims: spec sections, papers, issues. */
  readonly sources: readonly { readonly label: string; readonly url: string }[]
}

/** A lesson of an experiment: predict, run, mend, change one thing, why. */
export interface ExperimentLesson extends LessonBase {
  readonly kind: 'experiment'
  readonly experiment: string
  /** Values the lesson runs with unless the URL or a step says otherwise. */
  readonly values: ParamValues
  readonly prediction: Prediction
  readonly excerpt: ExcerptPlan
  readonly steps: readonly LessonStep[]
  /** The answer to the question, below the headline. */
  readonly answer: Passage
  readonly tryNext: readonly { readonly label: string; readonly values: ParamValues; readonly why: Inline }[]
  /** Files under public/recordings/, played where WebGPU is missing. */
  readonly recording: string
}

/**
 * A lesson of recorded profiles: predict, see one, find the line at fault in each, why, the
 * reader's own. It needs no device.
 */
export interface ProfilesLesson extends LessonBase {
  readonly kind: 'profiles'
  /** The question asks for how much of its time the rank that `shown` names computed. */
  readonly prediction: Question
  /**
   * The profiles that answer the prediction: of several ranks, and the one of them that is asked
   * about.
   */
  readonly shown: { readonly recording: string; readonly rank: number }
  /** Those in which the line at fault is to be found. */
  readonly profiles: readonly FaultyProfile[]
  readonly explanation: readonly Card[]
  /** Lines of each script that may be to blame. */
  readonly suspects: Readonly<Record<string, readonly Suspect[]>>
}
/** A line of a script, and what is answered to a click on it. */
export interface Suspect {
  /** Its function, by the name that a profile has for it; NO_LINE for 'no line is at fault'. */
  readonly name: string
  /** The line as the script has it; '' for NO_LINE. */
  readonly code: string
  readonly words: Inline
}
/** Name of the answer that no line is at fault. */
export const NO_LINE = 'none'

export interface FaultyProfile {
  /** A name of site/ui/import/recordings.ts. */
  readonly recording: string
  /** The script that was run, under public/companion/. */
  readonly script: string
}

export type Lesson = ExperimentLesson | ProfilesLesson

/** `lesson.md` itself holds these. */
export type ExperimentWords = Omit<ExperimentLesson, 'id' | 'recording'>
export type LessonWords = ExperimentWords | Omit<ProfilesLesson, 'id'>
/**
 * The whole file. Teachers read its `objectives`: two to four things that a learner can do after
 * it, which give no answer away. No lesson's page loads them.
 */
export type LessonFile = LessonWords & { readonly objectives: readonly string[] }

/**
 * A heading and its paragraphs, in method.md, glossary.md and questions.md. Method and the
 * reference have tables too.
 */
export interface Section<Part = Inline> {
  /** The heading that it stands under with others; left out where there is none. */
  readonly group?: string
  readonly id: string
  readonly heading: string
  readonly text: readonly Part[]
}

/** A section of questions.md may have a fix to copy. */
export interface SectionWithCode extends Section {
  /** Lines of tokens: plain text, or text and its kind. */
  readonly code?: readonly (readonly (string | readonly [text: string, kind: string])[])[]
}
