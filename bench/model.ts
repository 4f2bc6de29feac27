/** `npm run bench -- model`: what a card says of every recorded run of its machine, beside what was measured. */
import { h200 } from '../src/model/cards/h200'
import { formatFigure, textTable } from '../cli/text-table'
import { recordingsIn, rowsOf, type ModelRow } from './model-rows'

const FOLDER = 'public/recordings'

const cellsOf = ({ file, variant, metric, measured, modelled, unit, isNear }: ModelRow): string[] => [
  file.replace('.hdl.gz', ''),
  variant,
  metric,
  formatFigure(measured),
  modelled === null ? 'not modelled' : formatFigure(modelled),
  unit,
  modelled === null
    ? ''
    : `${modelled > measured ? '+' : ''}${((modelled / measured - 1) * 100).toFixed(0)} %`,
  isNear ? '' : 'off',
]

export async function benchModel(): Promise<number> {
  const rows: ModelRow[] = []
  for (const file of recordingsIn(FOLDER))
    try {
      rows.push(...(await rowsOf(FOLDER, file, h200)))
    } catch (thrown) {
      console.error(`${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  console.log(
    textTable([['recording', 'variant', 'metric', 'measured', 'modelled', '', '', ''], ...rows.map(cellsOf)]),
  )
  const near = rows.filter((row) => row.isNear).length
  console.log(
    `\n${String(near)} of ${String(rows.length)} within 15 % or the recording's interval, shares within 5 points.`,
  )
  return 0
}
