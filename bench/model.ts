/** `npm run bench -- model`: what a card says of every recorded run of its machine, beside what was measured. */
import { readCard } from '../cli/read-card'
import { formatFigure, textTable } from '../cli/text-table'
import { causeOf, CAUSES } from './model-causes'
import { onCard, recordedIn, recordingsIn, rowsOf, type ModelRow } from './model-rows'
import { optionsAlone } from '../cli/strict-arguments'

const KEPT = 'public/recordings'

export const modelArguments = (argv: readonly string[]) =>
  optionsAlone(argv, {
    card: { type: 'string', default: 'h200' },
    recordings: { type: 'string', default: KEPT },
    again: { type: 'string' },
  })

/** @param isRecording a second recording beside the first: why it is off is no lack of the model's */
const cellsOf = (row: ModelRow, isRecording: boolean): string[] => {
  const { file, variant, metric, measured, modelled, unit, isNear, isOtherWork } = row
  const cause = isRecording ? '' : `: ${causeOf(row)?.is ?? '?'}`
  const named = [file.replace('.hdl.gz', ''), variant, metric, formatFigure(measured)]
  if (modelled === null)
    return [...named, '', unit, '', `not ${isRecording ? 'recorded' : 'modelled'}${cause}`]
  const off = `${modelled > measured ? '+' : ''}${((modelled / measured - 1) * 100).toFixed(0)} %`
  const why = isOtherWork ? 'sized otherwise' : isNear ? '' : `off${cause}`
  return [...named, formatFigure(modelled), unit, off, why]
}

/** @returns 1 where a row of the kept ones is off and nobody has said why, or a cause is given that no row has */
export async function benchModel(args: ReturnType<typeof modelArguments>): Promise<number> {
  const { again: folder } = args
  const isRecording = folder !== undefined
  const again = isRecording ? recordedIn(folder) : onCard(await readCard(args.card))
  const both = isRecording ? recordingsIn(folder) : null
  const rows: ModelRow[] = []
  for (const file of recordingsIn(args.recordings))
    if (both?.includes(file) ?? true) rows.push(...(await rowsOf(args.recordings, file, again)))
  console.log(
    textTable([
      ['recording', 'variant', 'metric', 'measured', isRecording ? 'again' : 'modelled', '', '', ''],
      ...rows.map((row) => cellsOf(row, isRecording)),
    ]),
  )
  const compared = rows.filter(({ modelled, isOtherWork }) => modelled !== null && !isOtherWork)
  const near = compared.filter(({ isNear }) => isNear).length
  const left = rows.length - compared.length
  console.log(
    `\n${String(near)} of ${String(compared.length)} within 15 % or the recording's interval, shares within 5 points; ${String(left)} not compared.`,
  )
  if (isRecording || args.card !== 'h200' || args.recordings !== KEPT) return 0
  const off = rows.filter(({ isNear, isOtherWork }) => !isNear && !isOtherWork)
  const unexplained = off.filter((row) => !causeOf(row))
  const idle = CAUSES.filter((cause) => !off.some((row) => causeOf(row) === cause))
  for (const { file, variant, metric } of unexplained)
    console.log(`No cause is given: ${file} ${variant} ${metric}`)
  for (const { is } of idle) console.log(`No row is off for this: ${is}`)
  return unexplained.length + idle.length > 0 ? 1 : 0
}
