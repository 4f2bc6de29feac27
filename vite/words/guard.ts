/** Conditions before words: `{when shown and not software} The device …`, `{else when …} …`, `{else} …`. */
import type { Fail, Text } from './blocks'

export interface Guard {
  readonly word: 'when' | 'else when' | 'else'
  /** Empty after 'else'. */
  readonly condition: string
  readonly words: string
}

/** Null where the text begins with no condition. What begins with a brace otherwise is a fault, unless `isOther` knows it. */
export function guardOf({ text, line }: Text, fail: Fail, isOther = (_text: string) => false): Guard | null {
  if (!text.startsWith('{') || isOther(text)) return null
  const [, when, condition = '', words = ''] =
    /^\{(?:(when|else when) ([^{}]*)|else)\}\s*(.*)$/.exec(text) ??
    fail(line, `A condition reads {when …}; got '${text.slice(0, 40)}'.`)
  if (words === '') return fail(line, 'A condition stands before the words that it is for, in one paragraph.')
  return { word: (when as 'when' | 'else when' | undefined) ?? 'else', condition, words } // by the expression above
}

/** What is thrown while a text of the file is read becomes a fault of its line. */
export function readAt<T>(line: number, fail: Fail, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    return fail(line, thrown instanceof Error ? thrown.message : String(thrown))
  }
}
