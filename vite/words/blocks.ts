/**
 * The few blocks of Markdown that a file of words is made of, each with its line: headings, paragraphs, quotes and list items whose
 * further paragraphs are indented. Anything else is a fault, so that nothing an author writes is shown other than it was meant.
 */
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
export type Block =
  | ({ readonly type: 'heading'; readonly level: number } & Text)
  | ({ readonly type: 'paragraph' | 'quote' } & Text)
  | { readonly type: 'item'; readonly line: number; readonly paragraphs: readonly Text[] }

const HEADING = /^(#{2,3}) +(\S.*?) *$/
/** What Markdown would read as something that is not known here: deeper headings, code, other lists, tables, rules, HTML. */
const UNKNOWN = /^(#|```|~~~|[*+] |\d+[.)] |\||---|===|<)/

/** Lines of one block: until a blank line or the start of another block. */
interface Lines {
  readonly line: number
  readonly texts: string[]
}
/** `_so_` is `*so*`, as formatters of Markdown write it; the page knows one of them. Code is left alone. */
const withStars = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/(^|[\s([])_(\S(?:[^_]*\S)?)_(?=$|[\s.,;:?)\]])/g, '$1*$2*'),
    )
    .join('')
const joined = ({ line, texts }: Lines): Text => ({ line, text: withStars(texts.join(' ')) })

/** `firstLine`: that of the file at which `source` begins. */
export function readBlocks(source: string, file: string, firstLine = 1): readonly Block[] {
  const blocks: Block[] = []
  let open: { readonly type: 'paragraph' | 'quote' | 'item'; readonly lines: Lines } | null = null
  let item: { readonly line: number; readonly paragraphs: Text[] } | null = null

  const close = () => {
    if (!open) return
    if (open.type === 'item') item?.paragraphs.push(joined(open.lines))
    else blocks.push({ type: open.type, ...joined(open.lines) })
    open = null
  }
  const add = (type: 'paragraph' | 'quote' | 'item', text: string, line: number) => {
    if (open?.type !== type) close()
    if (type !== 'item') item = null
    open ??= { type, lines: { line, texts: [] } }
    open.lines.texts.push(text)
  }

  source.split('\n').forEach((raw, index) => {
    const line = firstLine + index
    const text = raw.trimEnd()
    if (text === '' || text === '>') {
      close()
      return
    }
    const heading = HEADING.exec(text)
    if (heading) {
      close()
      item = null
      blocks.push({ type: 'heading', level: heading[1]?.length ?? 0, text: heading[2] ?? '', line })
    } else if (text.startsWith('> ')) {
      add('quote', text.slice(2).trim(), line)
    } else if (text.startsWith('- ')) {
      close()
      const paragraphs: Text[] = []
      item = { line, paragraphs }
      blocks.push({ type: 'item', line, paragraphs })
      add('item', text.slice(2).trim(), line)
    } else if (item && raw.startsWith('  ')) {
      add('item', text.trim(), line)
    } else if (UNKNOWN.test(text) || raw.startsWith('    ')) {
      throw new WordsFault(file, line, `'${text.trim()}' is none of heading (## or ###), paragraph, > or - .`)
    } else {
      add('paragraph', text.trim(), line)
    }
  })
  close()
  return blocks
}
