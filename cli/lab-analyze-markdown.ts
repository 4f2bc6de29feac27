/**
 * `lab analyze --markdown`: what a trace says, for a pull request. Busy and work of each device, the two largest causes with their line,
 * and what mending the first would save at most. The same analysis and sentences as everywhere: src/analysis.
 */
import type { RanksAnalysis } from '../src/analysis/ranks'
import { savingText, sourceText } from '../src/analysis/diagnosis-words'
import type { Finding } from '../src/analysis/faults'
import { percentText } from '../src/base/figures'
import type { Analysis } from './lab-analyze'

/** Of what a file may hold, what would be markup: names of devices, files and functions are text. */
const asText = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#!]/g, String.raw`\$&`).replaceAll('\n', ' ')
const asCode = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``

const SHOWN_CAUSES = 2

function causeLine({ title, share, evidence, mend, source }: Finding): string {
  const where = source ? ` In ${asCode(sourceText(source))}.` : ''
  return `- **${percentText(share)}**: ${asText(title)}.${where} ${asText(evidence)} ${asText(mend)}`
}

const ratio = (value: number | null): string => (value === null ? 'unknown' : percentText(value))

function fileSection({ file, devices, diagnoses }: Analysis): string {
  const rows = devices.map(
    ({ id, name, busyRatio, workRatio }) =>
      `| ${asText(id)} | ${asText(name)} | ${ratio(busyRatio)} | ${ratio(workRatio)} |`,
  )
  const table =
    rows.length === 0
      ? ['No lane of a device is in this file.']
      : ['| device | | busy | work |', '| --- | --- | ---: | ---: |', ...rows]
  const said = diagnoses.flatMap((diagnosis) => {
    const causes = [...diagnosis.findings, ...diagnosis.minor].slice(0, SHOWN_CAUSES)
    const most = savingText(diagnosis)
    return [
      `**${diagnoses.length > 1 ? `${asText(diagnosis.device)}: ` : ''}${asText(diagnosis.sentence)}**`,
      ...(causes.length > 0 ? [causes.map(causeLine).join('\n')] : []),
      ...(most === '' ? [] : [asText(most)]),
    ]
  })
  return [`### ${asText(file)}`, table.join('\n'), ...said].join('\n\n')
}

/** @param ranks where the files are those of ranks of one run */
export function analysisMarkdown(files: readonly Analysis[], ranks: RanksAnalysis | null): string {
  const together =
    ranks && ranks.ranks.length > 1
      ? [[ranks.verdict.sentence, ranks.verdict.doing].filter(Boolean).map(asText).join(' ')]
      : []
  return [...together, ...files.map(fileSection)].join('\n\n')
}
