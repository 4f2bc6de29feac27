/**
 * The few blocks of Markdown that a file of words is made of, each with its line: headings,
 * paragraphs, quotes, list items whose further paragraphs are indented, fenced code, and tables.
 * Anything else is a fault, so that nothing an author writes is shown other than it was meant.
 */
import type { Table } from '../../src/text/template'

export class WordsFault extends Error {
  readonly file: string
  /** Counted from 1, in the file. */
  readonly line: number
  readonly what: string
  constructor(file: string, line: number, what: string) {
    super(`${file}:${String(line)}: ${what}`)
    this.name = 'WordsFault'
    this.file = file
    this.line = line
    this.what = what
  }
}

export interface Text {
  readonly text: string
  readonly line: number
}
/** A paragraph; its lines may have a condition each. */
export interface Lines extends Text {
  readonly lines: readonly Text[]
}
export type Block =
  | ({ readonly type: 'heading'; readonly level: number } & Text)
  | ({ readonly type: 'paragraph' | 'quote' } & Lines)
  | { readonly type: 'item'; readonly line: number; readonly paragraphs: readonly Lines[] }
  | { readonly type: 'table'; readonly line: number; readonly table: Table }
  | ({ readonly type: 'code'; readonly language: string } & Text)

const HEADING = /^(#{1,3}) +(\S.*?) *$/
const ITEM = /^(?:-|\d+\.) +/
const FENCE = /^```(.*)$/
/**
 * What Markdown would read as something that is not known here: deeper headings, other lists,
 * rules, HTML.
 */
const UNKNOWN = /^(#|~~~|[*+] |\d+\) |---|===|<)/

/**
 * `_so_` is `*so*`, as formatters of Markdown write it; the page knows one of them. Code is left
 * alone.
 */
const withStars = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/(^|[\s([])_(\S(?:[^_]*\S)?)_(?=$|[\s.,;:?)\]])/g, '$1*$2*'),
    )
    .join('')
/**
 * An apostrophe is typed as `'` or as `’`, and shown as the second. Code and expressions are left
 * alone.
 */
const withApostrophes = (source: string): string =>
  source.replaceAll(/`[^`\n]*`|\{[^}\n]*\}|(?<=\p{L})'(?=\p{L})/gu, (found) => (found === "'" ? '’' : found))

const joined = (lines: readonly Text[]): Text => ({
  line: lines[0]?.line ?? 0,
  text: withStars(lines.map(({ text }) => text).join(' ')),
})

/** `firstLine`: that of the file at which `source` begins. */
export function readBlocks(source: string, file: string, firstLine = 1): readonly Block[] {
  const blocks: Block[] = []
  /** Its lines: until a blank line or the start of another block. */
  let open: { readonly type: 'paragraph' | 'quote' | 'item'; readonly lines: Text[] } | null = null
  let item: { readonly line: number; readonly paragraphs: Lines[] } | null = null
  let rows: Text[] = []
  let code: { readonly language: string; readonly line: number; readonly lines: string[] } | null = null

  /** Its caption is the paragraph before it. */
  const closeTable = () => {
    const [first] = rows
    if (!first) return
    const { caption, ...table } = readTable(rows, blocks.at(-1), failIn(file))
    blocks.splice(-1, 1, {
      type: 'table',
      line: first.line,
      table: { caption: withStars(caption), ...table },
    })
    rows = []
  }
  const close = () => {
    closeTable()
    if (!open) return
    const lines = open.lines.map(({ line, text }) => ({ line, text: withStars(text) }))
    const paragraph = { lines, ...joined(open.lines) }
    if (open.type === 'item') item?.paragraphs.push(paragraph)
    else blocks.push({ type: open.type, ...paragraph })
    open = null
  }
  const add = (type: 'paragraph' | 'quote' | 'item', text: string, line: number) => {
    if (open?.type !== type) close()
    if (type !== 'item') item = null
    open ??= { type, lines: [] }
    open.lines.push({ line, text })
  }

  for (const [index, written] of source.split('\n').entries()) {
    const line = firstLine + index
    const [, language] = FENCE.exec(written) ?? []
    if (code) {
      if (language !== '') {
        code.lines.push(written)
        continue
      }
      blocks.push({ type: 'code', language: code.language, text: code.lines.join('\n'), line: code.line })
      code = null
      continue
    }
    const raw = withApostrophes(written)
    const text = raw.trimEnd()
    if (text === '' || text === '>') {
      close()
      continue
    }
    const heading = HEADING.exec(text)
    if (text.startsWith('|')) {
      if (rows.length === 0) close()
      item = null
      rows.push({ line, text: withStars(text) })
    } else if (heading) {
      close()
      item = null
      blocks.push({ type: 'heading', level: heading[1]?.length ?? 0, text: heading[2] ?? '', line })
    } else if (text.startsWith('> ')) {
      add('quote', text.slice(2).trim(), line)
    } else if (language !== undefined) {
      close()
      item = null
      code = { language, line, lines: [] }
    } else if (ITEM.test(text)) {
      close()
      const paragraphs: Lines[] = []
      item = { line, paragraphs }
      blocks.push({ type: 'item', line, paragraphs })
      add('item', text.replace(ITEM, ''), line)
    } else if (item && raw.startsWith('  ')) {
      add('item', text.trim(), line)
    } else if (UNKNOWN.test(text) || raw.startsWith('    ')) {
      throw new WordsFault(
        file,
        line,
        `'${text.trim()}' is none of heading (## or ###), paragraph, table, > or - .`,
      )
    } else {
      add('paragraph', text.trim(), line)
    }
  }
  close()
  if (code) throw new WordsFault(file, code.line, 'This block of code has no end.')
  for (const block of blocks)
    if (block.type === 'paragraph' && isCaption(block.text))
      throw new WordsFault(file, block.line, `A table follows '${CAPTION}' and a blank line.`)
  return blocks
}

/** A heading, and what stands under it until the next of its level. */
export interface Part {
  readonly heading: Text
  readonly blocks: readonly Block[]
}
export function partsOf(
  blocks: readonly Block[],
  level: number,
): { readonly before: readonly Block[]; readonly parts: readonly Part[] } {
  const starts = blocks.flatMap((block, index) =>
    block.type === 'heading' && block.level === level ? [{ block, index }] : [],
  )
  return {
    before: blocks.slice(0, starts[0]?.index),
    parts: starts.map(({ block, index }, at) => ({
      heading: block,
      blocks: blocks.slice(index + 1, starts[at + 1]?.index),
    })),
  }
}

export type Fail = (line: number, what: string) => never
export const failIn =
  (file: string): Fail =>
  (line, what) => {
    throw new WordsFault(file, line, what)
  }

/**
 * What stands under each of these headings (##); a heading of another name, or twice, is a fault.
 */
export function sectionsOf<Name extends string>(
  parts: readonly Part[],
  names: readonly Name[],
  fail: Fail,
): ReadonlyMap<Name, readonly Block[]> {
  const found = new Map<Name, readonly Block[]>()
  for (const { heading, blocks } of parts) {
    const name = names.find((each) => each === heading.text)
    if (name === undefined) return fail(heading.line, `'${heading.text}' is none of ${names.join(', ')}.`)
    if (found.has(name)) fail(heading.line, `'## ${name}' stands here twice.`)
    found.set(name, blocks)
  }
  return found
}

/** '### The heading {#its-id}' */
export function namedHeading({ text, line }: Text, fail: Fail) {
  const [, heading = '', id = ''] = /^(.+?) +\{#([a-z0-9-]+)\}$/.exec(text) ?? []
  return id === '' ? fail(line, `A heading here ends in its id: '${text} {#some-id}'.`) : { heading, id }
}

/** Under a section, its parts with a heading (###) each. */
export function namedParts(blocks: readonly Block[], section: string, fail: Fail): readonly Part[] {
  const { before, parts } = partsOf(blocks, 3)
  return before[0] ? fail(before[0].line, `Under '## ${section}' a heading (###) comes first.`) : parts
}

/** The items of a list, a paragraph each. */
export function itemsOf(blocks: readonly Block[], fail: Fail): readonly Text[] {
  return blocks.map((block) => {
    const [text, more] = block.type === 'item' ? block.paragraphs : []
    if (!text) return fail(block.line, 'Only a list can stand here.')
    return more ? fail(more.line, 'An item here is one paragraph.') : text
  })
}

/*
 * Tables as GitHub writes them, behind a paragraph with their caption, as Pandoc writes those:
 *
 *     Table: What a link carries.
 *
 *     | Link   | GB/s |
 *     | ------ | ---: |
 *     | PCIe 3 | 15.8 |
 *
 * Cells are inline markup; `\|` is a bar in one, in code too. The first cell of a row names it.
 * Every row has every cell, and what stands in none is a fault: a cell that is left out shifts
 * those behind it.
 */
const CAPTION = 'Table: '
const isCaption = (text: string): boolean => text.startsWith(CAPTION)

const DELIMITER = /^(:?)-+(:?)$/

function cellsOf({ text, line }: Text, fail: Fail): readonly string[] {
  // A bar that is escaped is none: it goes out of the way while the row is cut.
  const cells = text.replaceAll('\\|', '\0').split('|')
  if (cells.length < 3 || cells.at(-1) !== '') return fail(line, "A row of a table ends in '|'.")
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\0', '|'))
}

function alignOf(cell: string, line: number, fail: Fail): Table['columns'][number]['align'] {
  const [, before, after] = DELIMITER.exec(cell) ?? []
  if (before === undefined)
    return fail(line, `Below the heads of a table stands ---, :--: or ---:, not '${cell}'.`)
  return after === '' ? 'start' : before === '' ? 'end' : 'center'
}

/** @param before the block that the table follows */
function readTable(lines: readonly Text[], before: Block | undefined, fail: Fail): Table {
  const [head, rule, ...rows] = lines
  if (!head) throw new Error('A table has a line.')
  if (before?.type !== 'paragraph' || !isCaption(before.text))
    return fail(head.line, `Before a table stands a paragraph '${CAPTION}' and its caption.`)
  const heads = cellsOf(head, fail)
  if (!rule || rows.length === 0) return fail(head.line, 'A table has heads, a line of --- and rows.')
  const aligns = cellsOf(rule, fail).map((cell) => alignOf(cell, rule.line, fail))
  const read = (row: Text): readonly string[] => {
    const cells = cellsOf(row, fail)
    if (cells.length !== heads.length)
      fail(row.line, `This row has ${String(cells.length)} cells, the heads are ${String(heads.length)}.`)
    if (cells.includes('')) fail(row.line, "A cell is empty; where there is nothing to say it says so: '–'.")
    return cells
  }
  if (aligns.length !== heads.length)
    fail(rule.line, `This line has ${String(aligns.length)} cells, the heads are ${String(heads.length)}.`)
  read(head)
  return {
    caption: before.text.slice(CAPTION.length),
    columns: heads.map((text, index) => ({ head: text, align: aligns[index] ?? 'start' })),
    rows: rows.map(read),
  }
}
