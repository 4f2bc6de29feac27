/**
 * Sums a trace up: busy and work of each device, the two largest causes with their line, and what
 * removing the first is predicted to gain. It is written as Markdown (markdown.ts) and as a picture
 * (picture-svg.ts), on the page and by `analyze`, in the same sentences.
 */
import { durationRangeText, durationText } from '../../base/figures'
import type { DeviceSummary } from '../devices'
import { errorText } from '../diagnosis-words'
import { sourceText } from '../finding-words'
import type { Diagnosis } from '../findings'
import type { RankVerdict } from '../ranks'
import { LAB_RUN_WORK, timeParts, type TimePart } from './time-parts'

export type SummarisedOf = Pick<DeviceSummary, 'id' | 'name' | 'busyRatio' | 'workRatio'>

interface SummarisedCause {
  readonly share: number
  /** A step without the cause, '4.35 ms, 3.14 to 4.95 ms'; the share is what it takes off then. Null: the share is of the device's time. */
  readonly predicted: string | null
  readonly title: string
  /** 'train.py(42): step, .item()'; null where the file holds no stacks. */
  readonly source: string | null
  readonly evidence: string
  readonly mend: string
}

export interface SummarisedDevice extends SummarisedOf {
  /** The verdict; '' of a run of the lab's. */
  readonly sentence: string
  readonly parts: readonly TimePart[]
  readonly causes: readonly SummarisedCause[]
  /** How far off predictions may be; '' where nothing is predicted. */
  readonly error: string
}

export interface SummarisedFile {
  readonly file: string
  /** In the order of the file. */
  readonly devices: readonly SummarisedDevice[]
}

export interface Summary {
  /** The verdict on several ranks; '' for one file. */
  readonly together: string
  readonly files: readonly SummarisedFile[]
}

const SHOWN_CAUSES = 2

function deviceOf(of: SummarisedOf, diagnosis: Diagnosis | undefined): SummarisedDevice {
  const { id, name, busyRatio, workRatio } = of
  const device = { id, name, busyRatio, workRatio }
  if (!diagnosis) return { ...device, sentence: '', parts: [], causes: [], error: '' }
  const { sentence, findings, minor, parts, spanUs, verdict } = diagnosis
  return {
    ...device,
    sentence,
    parts: timeParts(parts, spanUs, verdict === 'lab-run' ? LAB_RUN_WORK : undefined),
    causes: [...findings, ...minor]
      .slice(0, SHOWN_CAUSES)
      .map(({ share, without, title, line, evidence, mend }) => ({
        share,
        predicted:
          without &&
          `${durationText(1e3 * without.stepUs)}, ${durationRangeText(1e3 * without.low, 1e3 * without.high)}`,
        title,
        source: line && sourceText(line),
        evidence,
        mend,
      })),
    error: errorText(diagnosis),
  }
}

export const summariseFile = (
  file: string,
  devices: readonly SummarisedOf[],
  diagnoses: readonly Diagnosis[],
): SummarisedFile => ({
  file,
  devices: devices.map((device) =>
    deviceOf(
      device,
      diagnoses.find((each) => each.device === device.id),
    ),
  ),
})

/** @param verdict of the ranks, where there are several */
export const summarise = (files: readonly SummarisedFile[], verdict: RankVerdict | null): Summary => ({
  together: verdict ? [verdict.sentence, verdict.doing].filter(Boolean).join(' ') : '',
  files,
})
