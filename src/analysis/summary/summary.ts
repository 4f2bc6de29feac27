/**
 * Sums a trace up: busy and work of each device, the two largest causes with their line, and what
 * removing the first is predicted to gain. It is written as Markdown and as a picture
 * (strips/summary-image.ts), on the page and by `analyze`, in the same sentences.
 */
import { durationRangeText, durationText, percentText } from '../../base/figures'
import type { DeviceSummary } from '../devices'
import { errorText, NO_DEVICE } from '../diagnosis-words'
import { sourceText } from '../finding-words'
import type { Diagnosis, Finding } from '../findings'
import type { RankVerdict } from '../ranks'
import { LAB_RUN_WORK, timeParts, type TimePart } from './time-parts'

export type SummarisedOf = Pick<DeviceSummary, 'id' | 'name' | 'busyRatio' | 'workRatio'>

type SummarisedCause = Pick<Finding, 'share' | 'without' | 'title' | 'line' | 'evidence' | 'mend'>

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
    causes: [...findings, ...minor].slice(0, SHOWN_CAUSES),
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

/** Escapes markup in a file's text: names of devices, files and functions are text. */
const asText = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#!]/g, String.raw`\$&`).replaceAll('\n', ' ')
const asCode = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``

function causeLine({ share, without, title, line, evidence, mend }: SummarisedCause): string {
  const gain = without
    ? `**saves ${percentText(share)} of a step** (predicted: ${durationText(1e3 * without.stepUs)}, ${durationRangeText(1e3 * without.low, 1e3 * without.high)})`
    : `**${percentText(share)}**`
  const source = line ? ` In ${asCode(sourceText(line))}.` : ''
  return `- ${gain}: ${asText(title)}.${source} ${asText(evidence)} ${asText(mend)}`
}

const ratio = (value: number | null): string => (value === null ? 'unknown' : percentText(value))

function fileSection({ file, devices }: SummarisedFile): string {
  const rows = devices.map(
    ({ id, name, busyRatio, workRatio }) =>
      `| ${asText(id)} | ${asText(name)} | ${ratio(busyRatio)} | ${ratio(workRatio)} |`,
  )
  const table =
    rows.length === 0 ? [NO_DEVICE] : ['| device | | busy | work |', '| --- | --- | ---: | ---: |', ...rows]
  const said = devices.flatMap(({ id, sentence, causes, error }) => [
    ...(sentence === '' ? [] : [`**${devices.length > 1 ? `${asText(id)}: ` : ''}${asText(sentence)}**`]),
    ...(causes.length === 0 ? [] : [causes.map(causeLine).join('\n')]),
    ...(error === '' ? [] : [asText(error)]),
  ])
  return [`### ${asText(file)}`, table.join('\n'), ...said].join('\n\n')
}

/** For a pull request. */
export const summaryMarkdown = ({ together, files }: Summary): string =>
  [...(together === '' ? [] : [asText(together)]), ...files.map(fileSection)].join('\n\n')
