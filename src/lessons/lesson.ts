/**
 * A lesson is words and presets, no machinery. All text is data, so that a test can check it: every quiz option explained,
 * every claim that quotes a number a function of the run's metrics with a branch for 'it did not happen here'.
 */
import type { Metric, Report } from '../trace/report'
import type { ParamValues } from '../experiments/experiment'

/**
 * Prose: paragraphs of inline markup, one string a paragraph. `code`, *emphasis*, **strong**, [text](https://…) and nothing else.
 * A term in double brackets with a colour key, [[device:the device]], is drawn in that lane's hue
 * (keys: host, wait, queue, staging, transfer, device, idle).
 */
export type Prose = readonly string[]

export type CodeRegion = 'setup' | 'encode' | 'submit' | 'wait' | 'read' | 'fill'
export interface CodeBlock {
  readonly dialect: 'pytorch' | 'webgpu'
  readonly language: 'python' | 'typescript' | 'wgsl'
  readonly title: string
  readonly source: string
  /** 1-based line -> the region it is, so that the line that runs can be lit (only where that is true) and named. */
  readonly regions: Readonly<Record<number, CodeRegion>>
}

export interface Prediction {
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

export interface LessonStep {
  readonly id: string
  readonly heading: string
  readonly text: Prose
  /** A control to press: sets these values (and runs, where `run` is true). One dial a step. */
  readonly action?: { readonly label: string; readonly values: ParamValues; readonly run: boolean; readonly dial?: string }
  /** What to look for in the timeline afterwards. */
  readonly lookFor?: Prose
}

export interface QuizOption {
  readonly text: string
  readonly correct: boolean
  /** Why it is right, or what the mistake is. Shown after any answer. */
  readonly explanation: string
}
export interface QuizItem {
  readonly id: string
  readonly question: string
  readonly options: readonly QuizOption[]
}

/** How prose quotes a measurement. Each returns null-safe text: 'not measured: reason' instead of a made-up number. */
export interface Quote {
  /** '9.1 % ± 0.2', with unit and bound. */
  readonly metric: (name: string, variant?: string) => string
  /** The raw metric, to branch on. */
  readonly get: (name: string, variant?: string) => Metric | undefined
  readonly report: Report
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
  readonly intro: Prose
  readonly prediction: Prediction
  readonly code: readonly CodeBlock[]
  readonly steps: readonly LessonStep[]
  /** After a run: paragraphs that quote it, with a branch for each verdict outcome and reason. */
  readonly explain: (quote: Quote) => Prose
  /** 'What carries over to CUDA and PyTorch, and what WebGPU cannot do here.' */
  readonly carriesOver: Prose
  readonly cannot: Prose
  readonly quiz: readonly QuizItem[]
  readonly tryNext: readonly { readonly label: string; readonly values: ParamValues; readonly why: string }[]
  /** Files under public/recordings/, played where WebGPU is missing. */
  readonly recording: string
  /** Sources of the technical claims: spec sections, papers, issues. */
  readonly sources: readonly { readonly label: string; readonly url: string }[]
}
