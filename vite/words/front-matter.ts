/**
 * The YAML at the head of a file of words. A schema says what is in it; what breaks the schema is a
 * fault with its line.
 */
import * as v from 'valibot'
import { isMap, LineCounter, parseDocument } from 'yaml'
import { WordsFault } from './blocks'

const nonEmpty = (wanted: string) =>
  v.pipe(
    v.string(wanted),
    v.check((text) => text.trim() !== '', wanted),
  )

export const text = nonEmpty('text')
export const number = v.pipe(v.number('a number'), v.finite('a number'))
const textList = v.pipe(
  v.array(nonEmpty('a list of texts'), 'a list of texts'),
  v.nonEmpty('a list of texts'),
)
export const texts = v.pipe(textList, v.readonly())
/** Parameters of an experiment; whether it takes them is for the tests to say. */
export const values = v.pipe(
  v.record(v.string(), v.union([v.string(), number, v.boolean(), texts]), 'a map of parameters'),
  v.readonly(),
)
export type Values = v.InferOutput<typeof values>

export interface FrontMatter<T> {
  readonly fields: T
  /** The line of a field, or that of the map where it is missing. */
  readonly lineOf: (...path: readonly string[]) => number
  readonly body: string
  /** The line of the file at which the body begins. */
  readonly bodyLine: number
}

const FIRST_LINE = 2

/** A file that begins with `---`, YAML, `---`. */
export function readFrontMatter<T>(
  source: string,
  file: string,
  schema: v.GenericSchema<unknown, T>,
): FrontMatter<T> {
  const [, yaml, body] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(source) ?? []
  if (yaml === undefined || body === undefined)
    throw new WordsFault(file, 1, 'The file must begin with front matter between two lines of ---.')
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + FIRST_LINE - 1
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw new WordsFault(file, lineAt(error.pos[0]), error.message.split('\n')[0] ?? '')
  const lineOf = (...path: readonly string[]): number => {
    const map: unknown = document.getIn(path.slice(0, -1), true)
    if (!isMap(map)) return FIRST_LINE
    const pair = map.items.find(({ key }) => String(key) === path.at(-1))
    const node = (pair?.key ?? map) as { readonly range?: readonly number[] | null }
    return lineAt(node.range?.[0] ?? 0)
  }
  const read = v.safeParse(schema, document.toJSON(), { abortEarly: true })
  if (read.success)
    return { fields: read.output, lineOf, body, bodyLine: yaml.split('\n').length + FIRST_LINE }
  const [{ path = [], message, expected, received }] = read.issues
  const keys = path.filter(({ type }) => type !== 'array').map(({ key }) => String(key))
  const name = keys.at(-1) ?? 'front matter'
  const what =
    expected === 'never'
      ? 'is not known here'
      : received === 'undefined'
        ? 'is missing'
        : `must be ${message}`
  throw new WordsFault(file, lineOf(...keys), `'${name}' ${what}.`)
}
