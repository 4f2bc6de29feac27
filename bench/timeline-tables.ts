/** Results of `npm run bench -- timeline` as text for a terminal. Pure. */
import { textTable } from '../cli/text-table'
import { AIMS, rowsOf, sizeLabel, type Aim, type Row, type Spread, type Visit } from './timeline-results'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly browser: string
  readonly node: string
  readonly loadBefore: number
}

const figure = (value: number): string => value.toFixed(value < 20 ? 1 : 0)
const optional = (value: number | null): string => (value === null ? '' : figure(value))
const spread = (value: Spread | null): string =>
  value === null
    ? ''
    : value.low === value.high
      ? figure(value.mid)
      : `${figure(value.mid)} (${figure(value.low)}–${figure(value.high)})`

const HEAD = 'spans|who|file|MB|load|cpu|block|wheels|frame p50|p95|max|cpu|block|'.split('|')
const NUMBERS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

const cells = (row: Row): readonly string[] => [
  row.program === 'timeline off' ? '' : sizeLabel(row.spans),
  row.program,
  row.format ?? 'none',
  row.format === null ? '' : figure(row.fileBytes / 1e6),
  spread(row.loadMs),
  spread(row.loadCpuMs),
  optional(row.loadBlockMs),
  row.events === null ? '' : String(row.events),
  spread(row.frameP50Ms),
  spread(row.frameP95Ms),
  optional(row.frameMaxMs),
  spread(row.cpuMs),
  optional(row.moveBlockMs),
  row.failure ?? '',
]

const NOTES = `Milliseconds: the median over the rounds (least–greatest); blocks and max are the greatest of all rounds.
  load       from the file input's change until the timeline names all spans, and two frames more
  block      longest task of the page's main thread by the Long Tasks API; 50 where none took as long
  wheels     wheel events of the scripted pan and zoom; fewer where they took more than a minute
  frame      main-thread work of the costliest frame after a wheel event: input, callbacks, style, layout, paint; no waiting for the display
  cpu        processor time, of all the page's threads for a load, of its main thread for a wheel event: what remains on a machine that is
             busy with other things, where all else here is too long
'timeline off' is the same wheel on the same page with no file opened.`

export function resultsText(visits: readonly Visit[], aims: readonly Aim[], machine: Machine): string {
  const rows = rowsOf(visits)
  const aimRows = aims.map(({ what, state, evidence }) => [state, what, evidence])
  return [
    `${machine.processor}, ${String(machine.cores)} cores, ${String(machine.memoryGb)} GB, ${machine.system}; ${machine.browser}; Node ${machine.node}. Load before: ${machine.loadBefore.toFixed(1)}.`,
    ...(machine.loadBefore > machine.cores / 2
      ? [
          'This machine was busy with other things: times of the wall are too long, and a missed aim may be its doing.',
        ]
      : []),
    '',
    textTable([HEAD, ...rows.map(cells)], NUMBERS),
    '',
    NOTES,
    '',
    `Aims at ${sizeLabel(AIMS.spans)} spans:`,
    textTable(aimRows),
  ].join('\n')
}
