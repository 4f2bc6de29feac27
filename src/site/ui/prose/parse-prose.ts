/**
 * The inline markup of lessons (lessons/lesson.ts, Inline) as a tree: `code`, *emphasis*,
 * **strong**, [text](https://…), [a word of the glossary](#its-id) and [[key:a term in its lane's
 * hue]]. Pure. A mark that is never closed is plain text, so that nothing an author writes can
 * vanish.
 */
const TERM_KEYS = ['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'idle'] as const
export type TermKey = (typeof TERM_KEYS)[number]

export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'emphasis' | 'strong'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly url: string; readonly children: readonly Inline[] }
  | { readonly type: 'definition'; readonly id: string; readonly children: readonly Inline[] }
  | { readonly type: 'term'; readonly key: TermKey; readonly children: readonly Inline[] }

/**
 * One pattern a mark, anchored where the scan stands; the first that fits wins, so ** stands before
 * *.
 */
const MARKS: readonly {
  readonly pattern: RegExp
  readonly make: (match: RegExpExecArray) => Inline | null
}[] = [
  { pattern: /`([^`]+)`/y, make: ([, text = '']) => ({ type: 'code', text }) },
  {
    pattern: /\[\[([a-z]+):((?:[^[\]]|\[(?!\[)|\](?!\]))+)\]\]/y,
    make: ([, name = '', text = '']) => {
      const key = TERM_KEYS.find((known) => known === name)
      return key ? { type: 'term', key, children: parseInline(text) } : null
    },
  },
  {
    pattern: /\[([^[\]]+)\]\((https:\/\/[^\s)]+|\.\/[^\s)]*)\)/y,
    make: ([, text = '', url = '']) => ({ type: 'link', url, children: parseInline(text) }),
  },
  {
    pattern: /\[([^[\]]+)\]\(#([a-z][a-z-]*)\)/y,
    make: ([, text = '', id = '']) => ({ type: 'definition', id, children: parseInline(text) }),
  },
  {
    pattern: /\*\*(\S(?:.*?\S)?)\*\*(?!\*)/y,
    make: ([, text = '']) => ({ type: 'strong', children: parseInline(text) }),
  },
  {
    pattern: /\*([^\s*](?:[^*]*[^\s*])?)\*/y,
    make: ([, text = '']) => ({ type: 'emphasis', children: parseInline(text) }),
  },
]

export function parseInline(source: string): readonly Inline[] {
  const nodes: Inline[] = []
  let text = ''
  let at = 0
  const flush = () => {
    if (text !== '') nodes.push({ type: 'text', text })
    text = ''
  }
  while (at < source.length) {
    let found: { node: Inline; length: number } | null = null
    if ('`[*'.includes(source.charAt(at))) {
      for (const { pattern, make } of MARKS) {
        pattern.lastIndex = at
        const match = pattern.exec(source)
        const node = match ? make(match) : null
        if (match && node) {
          found = { node, length: match[0].length }
          break
        }
      }
    }
    if (found) {
      flush()
      nodes.push(found.node)
      at += found.length
    } else {
      text += source.charAt(at)
      at += 1
    }
  }
  flush()
  return nodes
}

/** What is read aloud: the words without the marks. */
export const plainText = (nodes: readonly Inline[]): string =>
  nodes.map((node) => ('text' in node ? node.text : plainText(node.children))).join('')
