/** A strict reader of the inline markup in lesson.ts: what the page cannot render, this names. */

/** 'gap' is no lane: words that go to the next gap. */
const COLOUR_KEYS = ['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'idle', 'gap']

/** Names the fault of one line of inline markup; null if it has none. */
export function proseFault(text: string): string | null {
  if (text.trim() === '') return 'is empty'
  if (text !== text.trim()) return 'has blanks at an end'
  // Code first: inside it every character is itself.
  const parts = text.split('`')
  if (parts.length % 2 === 0) return 'has an unbalanced `'
  if (parts.some((part, index) => index % 2 === 1 && part.trim() === '')) return 'has empty code'
  let rest = parts.map((part, index) => (index % 2 === 1 ? 'code' : part)).join('')

  for (const [, key] of rest.matchAll(/\[\[(\w+):[^[\]]+\]\]/g))
    if (!COLOUR_KEYS.includes(key ?? '')) return `has an unknown colour key '${key ?? ''}'`
  rest = rest.replaceAll(/\[\[\w+:([^[\]]+)\]\]/g, '$1')
  rest = rest.replaceAll(/\[([^[\]]+)\]\((?:https:\/\/[^\s()]+|\.\/[a-z0-9/#-]*|#[a-z][a-z-]*)\)/g, '$1')
  if (/[[\]]/.test(rest))
    return 'has a bracket that is neither a term, a word of the glossary, an https link nor one of the lab’s pages'

  if (/(^|[\s([])_\S/.test(rest)) return 'has an emphasis written with _'
  rest = rest.replaceAll(/\*\*([^*\s]|[^*\s][^*]*[^*\s])\*\*/g, '$1')
  rest = rest.replaceAll(/\*([^*\s]|[^*\s][^*]*[^*\s])\*/g, '$1')
  if (rest.includes('*')) return 'has an unbalanced *'
  return null
}

/** Words that say nothing, or that make a reader feel slow. */
const BANNED =
  /\b(simply|obviously|of course|trivial(ly)?|easy|easily|basically|merely|clearly|just|very|please|let's|leverage|seamless(ly)?|powerful|delve|blazing(ly)?|zero-copy)\b|!/i

export const bannedWord = (text: string): string | null => {
  const withoutCode = text.replaceAll(/`[^`]*`/g, '')
  return BANNED.exec(withoutCode)?.[0] ?? null
}
