/**
 * A lesson is words and presets, no machinery: `<id>/lesson.md`, read while the site is built (vite/parse-lesson.ts). All text is data, so
 * that a test can check it: every quiz option explained, every sentence about a run under a condition or a function of its metrics.
 */
import type { Prose, Quote } from '../experiments/declare/quote'
import type { ParamValues } from '../experiments/experiment'

export type { Prose, Quote }

/**
 * One paragraph of inline markup: `code`, *emphasis*, **strong**, [text](https://…), [encodes](#encode), a word of glossary.md, and
 * [[device:the device]], a term in that lane's hue (keys: host, wait, queue, staging, transfer, device, idle). Titles, labels and slider
 * words are plain.
 */
export type Inline = string

/** What a condition of lesson text can ask for (condition.ts). */
export const FACTS = ['ran', 'shown', 'inconclusive', 'software', 'timestamps', 'recorded'] as const
export type Fact = (typeof FACTS)[number]

/** `shown`, `not software`, `reason host-bound` (the reason of the verdict). */
export type Test =
  { readonly fact: Fact; readonly not: boolean } | { readonly reason: string; readonly not: boolean }

/** A paragraph that is shown only where every test holds of the run on the page: `{when shown and not software} …` in the file. */
export interface Branch {
  readonly when: readonly Test[]
  readonly text: Inline
}
/** Paragraphs, some under a condition (condition.ts). */
export type Passage = readonly (Inline | Branch)[]

/** One question with a slider. */
export interface Asked {
  readonly question: string
  /** The metric that answers it. */
  readonly metric: { readonly name: string; readonly variant: string }
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly step: number
  /** Where the slider stands at first: not the answer. */
  readonly start: number
  /** Metric value to the slider's unit: ratio 0.09 -> 9 (%). */
  readonly scale: number
  /** Words under the two ends of the slider. */
  readonly ends: readonly [string, string]
}
export interface Prediction extends Asked {
  /** Asked instead where the device gives no timestamps, if `metric` needs them. In another unit, so that two answers are told apart. */
  readonly withoutTimestamps?: Asked
}

export interface LessonStep {
  readonly id: string
  readonly heading: string
  readonly text: Passage
  /**
   * A control to press: lays these values over the lesson's own (not over the last step's, so that one dial differs) and runs,
   * where `run` is true. `dial` names the parameter that this step is about; its control is shown beside the key.
   */
  readonly action?: {
    readonly label: string
    readonly values: ParamValues
    readonly run: boolean
    readonly dial?: string
  }
  /** What to look for in the timeline afterwards. Its conditions are tests of a run with this step's values. */
  readonly lookFor?: Passage
}

/** Misconceptions seen in the wild. A wrong option names the one it stems from, so that a teacher can see what a class believes. */
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
  readonly text: Inline
  readonly correct: boolean
  /** Why it is right, or what the mistake is. Shown after any answer. */
  readonly explanation: Passage
  readonly misconception?: Misconception
}
/** Exactly one option is correct. */
export interface QuizItem {
  readonly id: string
  readonly question: Inline
  readonly options: readonly QuizOption[]
}

/** A profile recorded by torch.profiler, that is the CUDA counterpart of something the reader measures. */
export interface CudaProfile {
  /** Short, plain: the name on its key. */
  readonly id: string
  /** Where it stands alone, in a list of recordings. */
  readonly title: string
  /** Under public/recordings/. */
  readonly file: string
  readonly does: Inline
  /** The variant of the lesson's own experiment that does the same; null where WebGPU has none. */
  readonly twin: string | null
}

/** What the files say, worked out by the page's own analysis; null until it is read, or where the file does not say. */
export interface CudaFigures {
  /** Share of the time, first begin to last end on the device, in which kernels ran. */
  readonly kernelRatio: number | null
  /** The same with copies and memsets. */
  readonly busyRatio: number | null
  readonly stepMs: number | null
}
export interface CudaQuote {
  readonly get: (profile: string) => CudaFigures | undefined
  /** '88 %', '0.40 ms'; 'not read' instead of a made-up number. */
  readonly say: (profile: string, figure: keyof CudaFigures) => string
}

/** 'The same in PyTorch on CUDA': recorded profiles, in the same lanes, beside what the reader measured. */
export interface CudaSide {
  readonly intro: Prose
  readonly profiles: readonly CudaProfile[]
  /** Under public/companion/; it wrote the profiles. */
  readonly script: string
  /** Two or three sentences, with a branch for 'not measured yet' (own is null) and for every way the comparison can go. */
  readonly compared: (cuda: CudaQuote, own: Quote | null) => Prose
}

export interface Lesson {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly question: string
  /** One sentence for the home page: what you will measure. */
  readonly measures: string
  readonly minutes: number
  readonly experiment: string
  /** Values the lesson runs with unless the URL or a step says otherwise. */
  readonly values: ParamValues
  readonly intro: Passage
  readonly prediction: Prediction
  /** The same in PyTorch, as text: `code/pytorch.py`. The WebGPU side is the program that runs. */
  readonly pytorch: string
  readonly steps: readonly LessonStep[]
  /** 'What carries over to CUDA and PyTorch, and what WebGPU cannot do here.' */
  readonly carriesOver: Passage
  /** Left out where no profile was recorded. */
  readonly cuda?: CudaSide
  readonly cannot: Passage
  readonly quiz: readonly QuizItem[]
  readonly tryNext: readonly { readonly label: string; readonly values: ParamValues; readonly why: Inline }[]
  /** Files under public/recordings/, played where WebGPU is missing. */
  readonly recording: string
  /** Sources of the technical claims: spec sections, papers, issues. */
  readonly sources: readonly { readonly label: string; readonly url: string }[]
}

/** What `lesson.md` itself holds; the catalog adds what lies beside it in the folder. */
export type LessonWords = Omit<Lesson, 'id' | 'pytorch' | 'cuda' | 'recording'>

/** A heading and its paragraphs: of method.md and glossary.md. */
export interface Section {
  readonly id: string
  readonly heading: string
  readonly text: Prose
}
