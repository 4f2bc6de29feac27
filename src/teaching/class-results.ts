/**
 * What a class sent in, as a teacher pastes it: a line each, a completion code or plain numbers. Read where it is pasted, and sent nowhere.
 * Pure.
 */
import { plain } from '../base/figures'
import { csvFormatRows } from 'd3-dsv'
import { asText } from '../formats/csv-text'
import { MAX_CODE, readCode, type Completion } from './completion-code'

/** More is no class. */
export const MAX_LINES = 2000

/** A line that cannot be used, or that should be looked at. */
export type Flag =
  | { readonly kind: 'wrong'; readonly why: string }
  /** The same code, or the same name for the same lesson, as a line before it (from 1). */
  | { readonly kind: 'double'; readonly of: number; readonly by: 'code' | 'name' }
  | { readonly kind: 'other-assignment' }
  /** Not what most lines are of. */
  | { readonly kind: 'other-lesson' }
  | { readonly kind: 'other-unit' }

export interface Row {
  /** From 1, as pasted; blank lines count. */
  readonly line: number
  readonly text: string
  /** Null for plain numbers and for lines that are wrong. */
  readonly completion: Completion | null
  readonly predicted: number | null
  readonly measured: number | null
  readonly unit: string
  readonly flags: readonly Flag[]
}

export interface ClassResults {
  readonly rows: readonly Row[]
  /** What most codes are of; null where there are none. */
  readonly lesson: string | null
  readonly unit: string
  /** Lines beyond MAX_LINES, which were not read. */
  readonly leftOver: number
}

const PLAIN = /^(?:(-|[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)\s*([^\d\s,;+.-][^\d\s,;]*)?)$/i

/** '75 %', '75 %; 9.1 %', '-; 9.1 %': predicted and measured; one number alone is measured. Null where it is neither. */
function plainOf(text: string): Pick<Row, 'predicted' | 'measured' | 'unit'> | string {
  const cells = text.split(/[;\t]|,\s+|(?<=[^\d\s;,])\s+(?=[-+.\d])/).map((cell) => cell.trim())
  if (cells.length > 2) return 'It is no code, and more than two numbers.'
  const read = cells.map((cell) => PLAIN.exec(cell))
  if (!read.every((cell) => cell !== null)) return 'It is neither a code nor a number with its unit.'
  const units = [...new Set(read.flatMap(([, , unit]) => (unit === undefined ? [] : [unit])))]
  if (units.length > 1) return `Its numbers have two units, ${units.join(' and ')}.`
  const values = read.map(([, number = '-']) => (number === '-' ? null : Number(number)))
  if (values.some((value) => value !== null && !Number.isFinite(value))) return 'A number is too large.'
  const [predicted = null, measured = null] = values.length === 1 ? [null, ...values] : values
  return { predicted, measured, unit: units[0] ?? '' }
}

const isCode = (text: string): boolean => /^\s*hdl/i.test(text)

const wrong = (line: number, text: string, why: string): Row => ({
  line,
  text,
  completion: null,
  predicted: null,
  measured: null,
  unit: '',
  flags: [{ kind: 'wrong', why }],
})

function rowOf(line: number, text: string, lessons: readonly string[]): Row {
  if (text.length > MAX_CODE) return wrong(line, `${text.slice(0, 40)}…`, 'It is longer than any code.')
  if (!isCode(text)) {
    const plain = plainOf(text)
    return typeof plain === 'string'
      ? wrong(line, text, plain)
      : { line, text, completion: null, ...plain, flags: [] }
  }
  const read = readCode(text, lessons)
  if (!read.ok) return wrong(line, text, read.error)
  const { predicted, measured, outcome, unit } = read.value
  return {
    line,
    text,
    completion: read.value,
    predicted: typeof predicted === 'number' ? predicted : null,
    // A run that does not count is no result.
    measured: measured && outcome !== 'invalid' ? measured.value : null,
    unit,
    flags: [],
  }
}

/** The one that most have; the first of equals. */
function commonest<T>(values: readonly T[]): T | null {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best: T | null = null
  for (const [value, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = value
  return best
}

export interface ReadOptions {
  /** Ids of the lessons that there are. */
  readonly lessons: readonly string[]
  /** assignmentNumber() of the one that was given; null: it is not asked for. */
  readonly assignment: number | null
}

export function readClass(pasted: string, { lessons, assignment }: ReadOptions): ClassResults {
  const lines = pasted.split(/\r\n|\r|\n/)
  const read = lines
    .slice(0, MAX_LINES)
    .flatMap((text, index) => (text.trim() === '' ? [] : [rowOf(index + 1, text.trim(), lessons)]))
  const lesson = commonest(read.flatMap(({ completion }) => (completion ? [completion.lesson] : [])))
  const ofLesson = read.filter(({ completion }) => !completion || completion.lesson === lesson)
  const unit =
    commonest(ofLesson.flatMap((row) => (row.unit !== '' && !row.flags.length ? [row.unit] : []))) ?? ''
  const codes = new Map<string, number>()
  const names = new Map<string, number>()
  const rows = read.map((row): Row => {
    const { completion, line } = row
    if (row.flags.length > 0) return row
    const flags: Flag[] = []
    if (completion) {
      const key = JSON.stringify(completion)
      const who = `${completion.lesson}/${completion.name.toLowerCase()}`
      const sameCode = codes.get(key)
      const sameName = completion.name === '' ? undefined : names.get(who)
      if (sameCode !== undefined) flags.push({ kind: 'double', of: sameCode, by: 'code' })
      else if (sameName !== undefined) flags.push({ kind: 'double', of: sameName, by: 'name' })
      codes.set(key, sameCode ?? line)
      names.set(who, sameName ?? line)
      if (completion.lesson !== lesson) flags.push({ kind: 'other-lesson' })
      if (assignment !== null && completion.assignment !== assignment)
        flags.push({ kind: 'other-assignment' })
    }
    const isOther = completion === null ? row.unit !== '' && row.unit !== unit : row.unit !== unit
    const isOfLesson = !completion || completion.lesson === lesson
    if (isOther && isOfLesson && (row.predicted !== null || row.measured !== null))
      flags.push({ kind: 'other-unit' })
    return { ...row, flags }
  })
  return { rows, lesson, unit, leftOver: Math.max(0, lines.length - MAX_LINES) }
}

/** In words, for the table and the file. */
export function flagInWords(flag: Flag): string {
  switch (flag.kind) {
    case 'wrong':
      return flag.why
    case 'double':
      return flag.by === 'code'
        ? `the same code as line ${String(flag.of)}`
        : `the same name as line ${String(flag.of)}`
    case 'other-assignment':
      return 'of another assignment'
    case 'other-lesson':
      return 'of another lesson'
    case 'other-unit':
      return 'in another unit'
  }
}

/** Those that count in the charts and medians. */
export const soundRows = ({ rows }: ClassResults): readonly Row[] =>
  rows.filter(({ flags }) => flags.length === 0)

const CSV_COLUMNS = [
  'line',
  'name',
  'day',
  'lesson',
  'done',
  'asked',
  'predicted',
  'measured',
  'low',
  'high',
  'unit',
  'outcome',
  'adapter',
  'mended',
  'flags',
] as const

/** Names are anybody's text: no cell is a formula to a spreadsheet. */
export function classCsv({ rows }: ClassResults): string {
  const number = (value: number | null | undefined) => (value == null ? '' : plain(value, 5))
  const cells = rows.map(({ line, completion, predicted, measured, unit, flags }) => [
    String(line),
    asText(completion?.name ?? ''),
    completion?.day ?? '',
    completion?.lesson ?? '',
    completion ? String(completion.done) : '',
    completion ? String(completion.asked) : '',
    completion?.predicted === 'skipped' ? 'skipped' : number(predicted),
    number(completion?.measured ? completion.measured.value : measured),
    number(completion?.measured?.low),
    number(completion?.measured?.high),
    asText(unit),
    completion?.outcome ?? '',
    completion?.adapter ?? '',
    completion?.mended ?? '',
    asText(flags.map(flagInWords).join('; ')),
  ])
  return csvFormatRows([[...CSV_COLUMNS], ...cells]).replaceAll('\n', '\r\n') + '\r\n'
}
