/** A summary as Markdown, for a pull request. */
import { NO_DEVICE } from '../diagnosis-words'
import { percentText } from '../../base/figures'
import type { SummarisedDevice, SummarisedFile, Summary } from './summary'

/** Escapes markup in a file's text: names of devices, files and functions are text. */
const asText = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#!]/g, String.raw`\$&`).replaceAll('\n', ' ')
const asCode = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``

const causeLine = ({
  title,
  share,
  predicted,
  evidence,
  mend,
  source,
}: SummarisedDevice['causes'][number]): string =>
  `- **${predicted === null ? percentText(share) : `saves ${percentText(share)} of a step`}**${predicted === null ? '' : ` (predicted: ${predicted})`}: ${asText(title)}.${source === null ? '' : ` In ${asCode(source)}.`} ${asText(evidence)} ${asText(mend)}`

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

export const summaryMarkdown = ({ together, files }: Summary): string =>
  [...(together === '' ? [] : [asText(together)]), ...files.map(fileSection)].join('\n\n')
