/** The YAML at the head of a file of words, field by field: each is asked for by its type, and what nobody asked for is a fault. */
import { isMap, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml'
import { WordsFault } from './blocks'

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

export type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>

export class Fields {
  readonly #map: YAMLMap
  readonly #file: string
  readonly #lineAt: (offset: number) => number
  readonly #asked = new Set<string>()

  constructor(map: YAMLMap, file: string, lineAt: (offset: number) => number) {
    this.#map = map
    this.#file = file
    this.#lineAt = lineAt
  }

  /** The line of a field, or that of the whole where it is missing. */
  lineOf(name?: string): number {
    const pair = this.#map.items.find(({ key }) => String(key) === name)
    const node = (pair?.key ?? this.#map) as { readonly range?: readonly number[] | null }
    return this.#lineAt(node.range?.[0] ?? 0)
  }

  has(name: string): boolean {
    return this.#map.has(name)
  }

  #get<T>(name: string, wanted: string, is: (value: unknown) => value is T): T {
    this.#asked.add(name)
    const plain: unknown = this.#map.toJSON()
    const value = (plain as Readonly<Record<string, unknown>>)[name]
    if (is(value)) return value
    return this.#fault(name, wanted)
  }

  text = (name: string): string => this.#get(name, 'text', isText)

  number = (name: string): number =>
    this.#get(
      name,
      'a number',
      (value): value is number => typeof value === 'number' && Number.isFinite(value),
    )

  pair = <T extends string | number>(name: string, of: 'string' | 'number'): readonly [T, T] =>
    this.#get(
      name,
      `two ${of === 'string' ? 'texts' : 'numbers'}`,
      (value): value is readonly [T, T] =>
        Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === of),
    )

  /** Parameters of an experiment; whether it takes them is for the tests to say. */
  values = (name: string): Values => this.#get(name, 'a map of parameters', isValues)

  texts = (name: string): readonly string[] =>
    this.#get(
      name,
      'a list of texts',
      (value): value is readonly string[] => Array.isArray(value) && value.length > 0 && value.every(isText),
    )

  /** A list of lists of text. */
  rows = (name: string): readonly (readonly string[])[] =>
    this.#get(
      name,
      'a list of lists of text',
      (value): value is readonly (readonly string[])[] =>
        Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every(isText)),
    )

  fields(name: string): Fields {
    this.#asked.add(name)
    const node = this.#map.get(name, true)
    if (isMap(node)) return new Fields(node, this.#file, this.#lineAt)
    return this.#fault(name, 'a map')
  }

  /** A list of maps. */
  list(name: string): readonly Fields[] {
    this.#asked.add(name)
    const node = this.#map.get(name, true)
    return isSeq(node) && node.items.length > 0 && node.items.every((item) => isMap(item))
      ? node.items.map((item) => new Fields(item, this.#file, this.#lineAt))
      : this.#fault(name, 'a list of maps')
  }

  #fault(name: string, wanted: string): never {
    throw new WordsFault(
      this.#file,
      this.lineOf(name),
      this.has(name) ? `'${name}' must be ${wanted}.` : `'${name}' is missing.`,
    )
  }

  /** Every field has been asked for. */
  done(): void {
    const other = this.#map.items.map(({ key }) => String(key)).find((name) => !this.#asked.has(name))
    if (other !== undefined)
      throw new WordsFault(this.#file, this.lineOf(other), `'${other}' is not known here.`)
  }
}

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (each) => isScalar(each) || (Array.isArray(each) && each.length > 0 && each.every(isText)),
  )

export interface Split {
  readonly fields: Fields
  readonly body: string
  /** The line of the file at which the body begins. */
  readonly bodyLine: number
}

/** A file that begins with `---`, YAML, `---`. */
export function splitFrontMatter(source: string, file: string): Split {
  const [, yaml, body] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(source) ?? []
  if (yaml === undefined || body === undefined)
    throw new WordsFault(file, 1, 'The file must begin with front matter between two lines of ---.')
  const FIRST_LINE = 2
  const counter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: counter })
  const lineAt = (offset: number) => counter.linePos(offset).line + FIRST_LINE - 1
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw new WordsFault(file, lineAt(error.pos[0]), error.message.split('\n')[0] ?? '')
  if (!isMap(document.contents)) throw new WordsFault(file, FIRST_LINE, 'The front matter must be a map.')
  return {
    fields: new Fields(document.contents, file, lineAt),
    body,
    bodyLine: yaml.split('\n').length + FIRST_LINE,
  }
}
